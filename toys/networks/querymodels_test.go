package networks_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// slowModel returns the prior and the joint distribution of a query about a Bayesian network at
// each state of its free variables, as the definitions say: sums over the configurations of all
// variables that agree with the evidence, of the product of the tables of the unobserved variables
// and of all tables.
func slowModel(q *networks.Query) (prior, joint []float64) {
	cards := q.Cards()
	free := q.Free()
	states := 1
	for _, v := range free {
		states *= cards[v]
	}
	prior = make([]float64, states)
	joint = make([]float64, states)
	everyConfiguration(cards, func(configuration []int) {
		x := 0
		own := 1.0
		seen := 1.0
		for v, value := range configuration {
			if q.Evidence[v] != networks.Unseen && q.Evidence[v] != value {
				return
			}
			if p := entryAt(q.Factors[v], cards, configuration); q.Evidence[v] == networks.Unseen {
				own *= p
			} else {
				seen *= p
			}
		}
		for _, v := range free {
			x = x*cards[v] + configuration[v]
		}
		prior[x] += own
		joint[x] += own * seen
	})
	return prior, joint
}

// checkModel compares the model of a query with the slow one. Logarithms must agree to 1e-12, and
// zeros be zeros.
func checkModel(t rapid.TB, q *networks.Query) {
	target, err := q.EnumerateTarget()
	prior, joint := slowModel(q)
	total := 0.0
	mass := 0.0
	for x := range prior {
		total = total + prior[x]
		mass = mass + joint[x]
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("%s: the slow prior sums to %v", q.Selector, total)
	}
	if mass == 0 {
		longtest.Refused(t, err, "impossible")
		return
	}
	if err != nil {
		t.Errorf("%s: %v", q.Selector, err)
		return
	}
	logPrior := target.Model.LogPrior()
	logL := target.Model.LogLikelihood(1)
	none := target.Model.LogLikelihood(0)
	half := target.Model.LogLikelihood(0.5)
	same := func(got, want float64) bool {
		return got == want || math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))
	}
	for x := range prior {
		if !same(logPrior[x], math.Log(prior[x])) || !same(logPrior[x]+logL[x], math.Log(joint[x])) {
			t.Errorf("%s: state %d has log prior %v and log joint distribution %v, and should have %v and %v",
				q.Selector, x, logPrior[x], logPrior[x]+logL[x],
				math.Log(prior[x]), math.Log(joint[x]))
		}
		if none[x] != 0 || half[x] != logL[x]/2 {
			t.Errorf("%s: state %d has log likelihoods %v, %v and %v with the powers 0, 1/2 and 1",
				q.Selector, x, none[x], half[x], logL[x])
		}
	}
}

// TestRandomModels: the same of random networks with random evidence and hidden variables, some of
// whose probabilities are zero.
func TestRandomModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := random(t, "abc", func(t *rapid.T, k int) []float64 {
			p := make([]float64, k)
			left := 100
			for i := range p[1:] {
				percent := rapid.IntRange(0, left).Draw(t, "percent")
				p[i], left = float64(percent)/100, left-percent
			}
			p[k-1] = float64(left) / 100
			return p
		})
		q := &networks.Query{
			Network:  n,
			Selector: "random",
			Evidence: make([]int, len(n.Variables)),
			Hidden:   make([]bool, len(n.Variables)),
		}
		for v := range q.Evidence {
			q.Evidence[v] = networks.Unseen
			if v > 0 { // the first is free
				q.Evidence[v] = rapid.IntRange(networks.Unseen, len(n.Variables[v].Labels)-1).Draw(t, "evidence")
				q.Hidden[v] = q.Evidence[v] == networks.Unseen && rapid.IntRange(0, 2).Draw(t, "hidden") == 0
			}
		}
		checkModel(t, q)
	})
}

// TestGenerative: evidence that is drawn given a state has the distribution that the likelihood
// says, and the model with it is that of its selector.
func TestGenerative(t *testing.T) {
	const file = "bif:testdata/asia.bif:evidence="
	q := longtest.Sure(parse(file + "dysp=yes+xray=no"))
	g, is := q.Generative(longtest.Sure(q.EnumerateTarget()))
	if !is || !slices.Equal(g.Rows()[0], []float64{1, 0}) {
		t.Fatal(is, g)
	}
	labels := []string{"yes", "no"}
	for x := range 2 {
		for d := range 2 {
			other := g.With([][]float64{{float64(x), float64(d)}})
			want := longtest.Sure(longtest.Sure(
				parse(file + "xray=" + labels[x] + "+dysp=" + labels[d]),
			).EnumerateTarget()).Model.LogLikelihood(1)
			for z, v := range other.LogLikelihood(1) {
				if v != want[z] {
					t.Fatalf("state %d has the log likelihood %v with other data, and %v in its own model",
						z, v, want[z])
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	state := 5
	const draws = 20_000
	seen := [4]float64{}
	for range draws {
		y := g.Simulate(state, random)[0]
		seen[int(2*y[0]+y[1])]++
	}
	for i, n := range seen {
		p := math.Exp(g.With([][]float64{{float64(i / 2), float64(i % 2)}}).LogLikelihood(1)[state])
		if off := n/draws - p; math.Abs(off) > 6*math.Sqrt(p*(1-p)/draws)+1e-12 {
			// wrong by chance once in 5e8 tests
			t.Errorf("data %d have been drawn with the frequency %v, and have the probability %v", i, n/draws, p)
		}
	}
	for selector, why := range map[string]string{
		"bif:testdata/asia.bif": "no evidence", file + "smoke=yes": "lung has an observed parent",
		file + "xray=yes:hide=either":           "a hidden variable",
		"uai:testdata/markov3.uai:evidence=0=1": "a Markov network",
	} {
		q := longtest.Sure(parse(selector))
		if _, is := q.Generative(longtest.Sure(q.EnumerateTarget())); is {
			t.Errorf("%s has %s", selector, why)
		}
	}
	chain := longtest.Sure(parse("bif:testdata/earthquake.bif:evidence=MaryCalls=True+Alarm=False+JohnCalls=True"))
	if g, is := chain.Generative(longtest.Sure(chain.EnumerateTarget())); !is ||
		!slices.Equal(g.Rows()[0], []float64{1, 0, 0}) {
		t.Errorf("the alarm is drawn before who calls: %v", g.Rows())
	}
}
