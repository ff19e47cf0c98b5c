package posterior_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"breadboard/experiments/checks/posterior"
	"breadboard/experiments/programs"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// TestMain makes the test binary the program of a model, if a test starts it so.
func TestMain(m *testing.M) {
	longtest.Main(m, map[string]func(text string){"model": serveModel})
}

// modelTables are all answers of a model: the distribution of each request by its arguments, which
// are separated by bars.
type modelTables struct {
	Prior, Simulate, Step, Posterior map[string]map[string]float64
	LogJoint, LogZ                   map[string]map[string]float64
	// what it says that it answers, if not what it has
	Answers []string `json:",omitempty"`
}

// serveModel makes the test binary the program of a model.
func serveModel(text string) {
	var of modelTables
	if err := json.Unmarshal([]byte(text), &of); err != nil {
		panic(err)
	}
	all := map[string]map[string]map[string]float64{
		"prior": of.Prior, "simulate": of.Simulate, "step": of.Step, "posterior": of.Posterior,
		"log_joint": of.LogJoint, "log_z": of.LogZ,
	}
	answers := of.Answers
	for name, table := range all {
		if table != nil && of.Answers == nil {
			answers = append(answers, name)
		}
	}
	say := func(v any) { fmt.Println(string(longtest.Sure(json.Marshal(v)))) }
	say(map[string]any{"program": "model", "mode": "choose", "answers": answers})
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var request map[string]any
		if err := json.Unmarshal(in.Bytes(), &request); err != nil {
			panic(err)
		}
		for name, table := range all {
			first, asked := request[name]
			if !asked {
				continue
			}
			key := "" // of the prior
			if text, is := first.(string); is {
				key = text
			}
			if data, has := request["data"].(string); has {
				key += "|" + data
			}
			results := []string{}
			p := []float64{}
			for result, q := range table[key] {
				results, p = append(results, result), append(p, q)
			}
			if strings.HasPrefix(key, "short") {
				p = p[1:]
			}
			say(map[string]any{"results": results, "p": p, "id": request["id"]})
		}
	}
}

// examinePosterior examines a model.
func examinePosterior(t longtest.Failer, of modelTables, o posterior.Options,
	data ...string) (*posterior.Outcome, error) {
	t.Helper()
	ctx := context.Background()
	held := programs.NewPrograms(ctx, longtest.Patience)
	defer held.Close()
	f := longtest.Must(held.StartFunction(os.Args[0] + " model '" + string(longtest.Sure(json.Marshal(of))) + "'"))(t)
	m, err := posterior.NewModel(ctx, f, data, func(int) (func(int), func()) { return func(int) {}, func() {} })
	if err != nil {
		return nil, err
	}
	done := 0
	found, err := m.Examine(ctx, o, func(n int) { done += n })
	if err == nil && done != m.Requests() {
		t.Fatal(fmt.Sprintf("progress counts %d requests of %d", done, m.Requests()))
	}
	return found, err
}

var ofPosterior = posterior.Options{Draws: 3, Moves: 50, Runs: 200, Alpha: 1e-3}

// findingOf returns a finding by its name.
func findingOf(t longtest.Failer, found *posterior.Outcome, name string) posterior.Finding {
	t.Helper()
	i := slices.IndexFunc(found.Findings, func(f posterior.Finding) bool { return f.Name == name })
	if i < 0 {
		t.Fatal("there is no finding ", name, found.Findings)
	}
	return found.Findings[i]
}

// urn is a model with a parameter among four and data among three, and what samples its posterior:
// a Metropolis step with uniform proposals under prior^a likelihood^b, direct draws, and the rest.
func urn(a, b float64) modelTables {
	prior := []float64{0.1, 0.2, 0.3, 0.4}
	likelihood := [][]float64{{0.5, 0.3, 0.2}, {0.1, 0.1, 0.8}, {0.3, 0.4, 0.3}, {0.2, 0.7, 0.1}}
	of := modelTables{}
	for _, table := range []*map[string]map[string]float64{
		&of.Prior, &of.Simulate, &of.Step, &of.Posterior, &of.LogJoint, &of.LogZ} {
		*table = map[string]map[string]float64{}
	}
	of.Prior[""] = map[string]float64{}
	for x, p := range prior {
		of.Prior[""][fmt.Sprint(x)] = p
		of.Simulate[fmt.Sprint(x)] = map[string]float64{}
		for y, q := range likelihood[x] {
			of.Simulate[fmt.Sprint(x)]["y"+fmt.Sprint(y)] = q
		}
	}
	for y := range likelihood[0] {
		data := "y" + fmt.Sprint(y)
		z := 0.0
		total := 0.0
		f := func(x int) float64 { return math.Pow(prior[x], a) * math.Pow(likelihood[x][y], b) }
		for x := range prior {
			z += prior[x] * likelihood[x][y]
			total += f(x)
		}
		of.LogZ[data] = map[string]float64{
			fmt.Sprint(math.Log(z / 2)): 0.5, fmt.Sprint(math.Log(3 * z / 2)): 0.5}
		of.Posterior[data] = map[string]float64{}
		for x := range prior {
			of.Posterior[data][fmt.Sprint(x)] = f(x) / total
			of.LogJoint[fmt.Sprint(x)+"|"+data] = map[string]float64{fmt.Sprint(math.Log(f(x)) + 7): 1}
			row := map[string]float64{}
			stays := 1.0
			for k := range prior {
				if k != x {
					row[fmt.Sprint(k)] = min(1, f(k)/f(x)) / 4
					stays -= row[fmt.Sprint(k)]
				}
			}
			row[fmt.Sprint(x)] = stays
			of.Step[fmt.Sprint(x)+"|"+data] = row
		}
	}
	return of
}

// TestPosteriorsByName: a right model passes in all parts, and powers of prior and likelihood are
// named, with the probability that an enumeration of draws gives.
func TestPosteriorsByName(t *testing.T) {
	found := longtest.Must(examinePosterior(t, urn(1, 1), ofPosterior))(t)
	if n := check.Count(found.Findings); n.Pass != 5 || n.Fault+n.Open+n.Note != 0 || found.Tests != nil {
		t.Errorf("the right model has %v, %v", found.Findings, found.Tests)
	}
	for _, of := range []struct {
		a, b float64
		says string
	}{
		{0, 1, "as if the prior were left out"}, {1, 2, "as if the likelihood were counted twice"},
		{1, 0, "as if the data were ignored"},
		{1, 0.5, "prior^1 times likelihood^0.5"}, {0, 0, "equally likely"},
	} {
		if of.a > 0 && !longtest.Enabled() {
			continue // each is another process
		}
		found := longtest.Must(examinePosterior(t, urn(of.a, of.b), ofPosterior))(t)
		for _, name := range []string{posterior.Invariance, posterior.Distance, posterior.LogJoint} {
			if f := findingOf(t, found, name); f.Verdict != check.Fault ||
				!strings.Contains(f.Where, of.says) {
				t.Errorf("prior^%v likelihood^%v: %+v", of.a, of.b, f)
			}
		}
	}
	// The largest total variation of prior^0 likelihood^1 from the posterior, by hand: for y1 the
	// posterior is (.06, .04, .24, .56)/.9 and the likelihood (.3, .1, .4, .7)/1.5.
	f := findingOf(t, longtest.Must(examinePosterior(t, urn(0, 1), ofPosterior))(t), posterior.Distance)
	if f.Data != "y0" && f.Data != "y1" && f.Data != "y2" {
		t.Errorf("the data are %q", f.Data)
	}
	best := 0.0
	for _, of := range [][2][4]float64{{{.05, .02, .09, .08}, {.5, .1, .3, .2}},
		{{.03, .02, .12, .28}, {.3, .1, .4, .7}}, {{.02, .16, .09, .04}, {.2, .8, .3, .1}}} {
		p := 0.0
		q := 0.0
		tv := 0.0
		for x := range 4 {
			p, q = p+of[0][x], q+of[1][x]
		}
		for x := range 4 {
			tv += math.Abs(of[0][x]/p-of[1][x]/q) / 2
		}
		best = max(best, tv)
	}
	if math.Abs(f.Value-best) > 1e-14 {
		t.Errorf("the total variation is %v, and by hand %v", f.Value, best)
	}
}

// TestFindingsOfPosteriors: each kind of fault has its finding, with the data that show it.
func TestFindingsOfPosteriors(t *testing.T) {
	spoil := func(change func(of *modelTables)) modelTables { of := urn(1, 1); change(&of); return of }
	for name, c := range map[string]struct {
		of      modelTables
		finding string
		verdict check.Verdict
		data    string
		says    string
	}{
		"unseen": {spoil(func(of *modelTables) { of.Step["2|y1"] = map[string]float64{"9": 0.5, "2": 0.5} }),
			posterior.Support, check.Fault, "y1",
			"with probability 0.5, to a parameter which the prior never draws: 9"},
		"draws": {spoil(func(of *modelTables) { of.Posterior["y1"] = map[string]float64{"9": 1} }),
			posterior.Support, check.Fault, "y1", "never draws: 9"},
		"impossible": {spoil(func(of *modelTables) { of.Simulate["0"] = map[string]float64{"y0": 1} }),
			posterior.Support, check.Fault, "y1",
			"has probability zero given these data: 0"},
		"finite": {spoil(func(of *modelTables) {
			of.Step = nil
			of.Posterior = nil
			of.Simulate["0"] = map[string]float64{"y0": 1}
		}), posterior.Support, check.Fault, "y1", "log_joint at 0 must be -inf"},
		"zero": {spoil(func(of *modelTables) { of.LogJoint["3|y2"] = map[string]float64{"-inf": 1} }),
			posterior.Support, check.Fault, "y2",
			"log_joint at 3 is -inf, and by prior and simulator it is -3.2"},
		"biased": {spoil(func(of *modelTables) { of.LogZ["y2"] = map[string]float64{"-1": 1} }),
			posterior.LogEvidence, check.Fault, "y2", "the mean of exp(log_z) is"},
		"shifted": {spoil(func(of *modelTables) {
			for x := range 4 {
				of.LogJoint[fmt.Sprint(x)+"|y1"] = map[string]float64{
					fmt.Sprint(numberOf(of.LogJoint[fmt.Sprint(x)+"|y1"]) + 1): 1}
			}
		}), posterior.LogJoint, check.Note, "", "right for samplers"},
		"single": {spoil(func(of *modelTables) {
			for key, v := range of.LogJoint {
				of.LogJoint[key] = map[string]float64{fmt.Sprint(float64(float32(numberOf(v)))): 1}
			}
		}), posterior.LogJoint, check.Fault, "", "which is the rounding of single precision"},
		"close": {spoil(func(of *modelTables) {
			of.LogJoint["3|y2"] = map[string]float64{fmt.Sprint(numberOf(of.LogJoint["3|y2"]) + 1e-8): 1}
		}), posterior.LogJoint, check.Fault, "", "none of the known"},
		"small": {spoil(func(of *modelTables) { of.Step["2|y1"] = moved(of.Step["2|y1"], 1e-7) }),
			posterior.Invariance, check.Fault, "y1", "none of the known"},
		"tiny": {spoil(func(of *modelTables) { of.Step["2|y1"] = moved(of.Step["2|y1"], 1e-12) }),
			posterior.Invariance, check.Pass, "", ""},
		"near": {spoil(func(of *modelTables) {
			of.Posterior = urn(1, 2).Posterior
			of.Posterior["y1"] = moved(of.Posterior["y1"], 1e-3)
		}), posterior.Distance, check.Fault, "", "none of the known"},
		"split": {spoil(func(of *modelTables) {
			for x := range 4 {
				of.Step[fmt.Sprint(x)+"|y0"] = map[string]float64{fmt.Sprint(x): 1}
			}
		}), posterior.Reaches, check.Note, "y0", "in 4 sets"},
	} {
		if !longtest.Enabled() && !slices.Contains([]string{"unseen", "biased", "small"}, name) {
			continue // each is another process
		}
		found := longtest.Must(examinePosterior(t, c.of, ofPosterior))(t)
		f := findingOf(t, found, c.finding)
		if f.Verdict != c.verdict || c.data != "" && f.Data != c.data || !strings.Contains(f.Where, c.says) {
			t.Errorf("%s: %+v", name, f)
		}
	}
	strict := ofPosterior
	strict.Strict = true
	identity := spoil(func(of *modelTables) {
		for key := range of.Step {
			of.Step[key] = map[string]float64{key[:1]: 1}
		}
	})
	if f := findingOf(t, longtest.Must(examinePosterior(t, identity, strict))(t),
		posterior.Reaches); f.Verdict != check.Fault {
		t.Errorf("a step that stays is %v with --strict", f)
	}
}

// moved moves a probability from staying at 2 to going to 3.
func moved(row map[string]float64, by float64) map[string]float64 {
	row = maps.Clone(row)
	row["2"], row["3"] = row["2"]-by, row["3"]+by
	return row
}

func numberOf(law map[string]float64) (v float64) {
	for text := range law {
		longtest.Sure(fmt.Sscan(text, &v))
	}
	return v
}

// TestRefusalsOfPosteriors: what cannot be tested is refused, with what is wrong.
func TestRefusalsOfPosteriors(t *testing.T) {
	spoil := func(change func(of *modelTables)) modelTables { of := urn(1, 1); change(&of); return of }
	for says, of := range map[string]modelTables{
		`does not say that it answers "simulate"`: spoil(
			func(of *modelTables) { of.Answers = []string{"prior", "step"} },
		),
		"there is nothing to test": spoil(func(of *modelTables) { of.Answers = []string{"prior", "simulate"} }),
		"2 results and 1 probabilities": spoil(func(of *modelTables) {
			of.Prior[""] = map[string]float64{"short": 1}
			of.Simulate["short"] = map[string]float64{"a": 0.5, "b": 0.5}
		}),
		"not a log density": spoil(func(of *modelTables) { of.LogZ["y0"] = map[string]float64{"NaN": 1} }),
		"it may not be random": spoil(
			func(of *modelTables) { of.LogJoint["1|y0"] = map[string]float64{"1": 0.5, "2": 0.5} },
		),
		"sum": spoil(func(of *modelTables) { of.Prior[""]["0"] = 0.5 }),
	} {
		if len(says) > 15 && !longtest.Enabled() {
			continue // each is another process
		}
		_, err := examinePosterior(t, of, ofPosterior)
		longtest.Refused(t, err, says)
	}
	_, err := examinePosterior(t, urn(1, 1), ofPosterior, "y9")
	longtest.Refused(t, err, "never makes these data; they are among y")
	_, err = examinePosterior(t, urn(1, 1), ofPosterior, "y1", "y1")
	longtest.Refused(t, err, "twice")
}

// TestPosteriorsOfGivenData: of the data that are named, only these are tested.
func TestPosteriorsOfGivenData(t *testing.T) {
	of := urn(1, 1)
	of.Step["2|y1"] = map[string]float64{"2": 1}
	if n := check.Count(longtest.Must(examinePosterior(t, of, ofPosterior, "y0", "y2"))(t).Findings); n.Fault != 0 {
		t.Errorf("%v", n)
	}
	found := longtest.Must(examinePosterior(t, of, ofPosterior, "y1"))(t)
	if f := findingOf(t, found, posterior.Invariance); f.Verdict != check.Fault || found.Untested == "" ||
		found.Tests != nil {
		t.Errorf("%v, %v", f, found)
	}
}

// TestPosteriorsOfRandomKernels: any step that is a product of Metropolis steps under the posterior
// passes, and one with a row that is exchanged for another has the flow that a sum over all states
// gives.
func TestPosteriorsOfRandomKernels(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "parameters")
		data := rapid.IntRange(1, 3).Draw(t, "data")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		spread := rapid.SampledFrom([]float64{0, 1, 30, 200}).Draw(t, "spread")
		draw := func(n int) []float64 {
			p := make([]float64, n)
			total := 0.0
			for i := range p {
				p[i] = math.Exp(spread * (rng.Float64() - 1))
				total += p[i]
			}
			for i := range p {
				p[i] /= total
			}
			return p
		}
		of := modelTables{
			Prior:    map[string]map[string]float64{"": {}},
			Simulate: map[string]map[string]float64{},
			Step:     map[string]map[string]float64{},
		}
		prior := draw(n)
		likelihood := make([][]float64, n)
		for x := range n {
			of.Prior[""][fmt.Sprint(x)], likelihood[x] = prior[x], draw(data)
			of.Simulate[fmt.Sprint(x)] = map[string]float64{}
			for y, p := range likelihood[x] {
				of.Simulate[fmt.Sprint(x)]["y"+fmt.Sprint(y)] = p
			}
		}
		for y := range data {
			for x := range n {
				row := map[string]float64{}
				stays := 0.0
				for k := range n {
					if k != x {
						a := math.Log(prior[k]) + math.Log(likelihood[k][y]) - math.Log(prior[x]) -
							math.Log(likelihood[x][y])
						row[fmt.Sprint(k)] = math.Exp(min(0, a)) / float64(n)
						stays += -math.Expm1(min(0, a)) / float64(n)
					}
				}
				row[fmt.Sprint(x)] = stays + 1/float64(n)
				of.Step[fmt.Sprintf("%d|y%d", x, y)] = row
			}
		}
		found := longtest.Must(examinePosterior(t, of, ofPosterior))(t)
		if f := findingOf(t, found, posterior.Invariance); f.Verdict == check.Fault {
			t.Fatalf("a right step is blamed: %+v", f)
		}
		x, y := rng.IntN(n), rng.IntN(data)
		key := fmt.Sprintf("%d|y%d", x, y)
		of.Step[key] = map[string]float64{fmt.Sprint((x + 1) % n): 1}
		worst := 0.0
		total := 0.0
		into := make([]float64, n)
		for k := range n {
			p := prior[k] * likelihood[k][y]
			total += p
			for to, q := range of.Step[fmt.Sprintf("%d|y%d", k, y)] {
				into[int(numberOf(map[string]float64{to: 1}))] += p * q
			}
		}
		for k := range n {
			p := prior[k] * likelihood[k][y]
			worst = max(worst, math.Abs(into[k]-p)/total)
		}
		if f := findingOf(t, longtest.Must(examinePosterior(t, of, ofPosterior))(t),
			posterior.Invariance); worst > 1e-6 && (f.Verdict != check.Fault || f.Data != "y"+fmt.Sprint(y)) {
			t.Fatalf("a wrong step, off by %v, passes: %+v", worst, f)
		}
	})
}

// TestNatsOfPosteriors: with one draw, the rank of the true parameter is known by hand, and so is
// Geweke's test after one round.
func TestNatsOfPosteriors(t *testing.T) {
	for _, direct := range []bool{true, false} {
		of := urn(0, 1)
		if direct {
			of.Step = nil
		} else {
			of.Posterior = nil
		}
		found := longtest.Must(examinePosterior(t, of, posterior.Options{Draws: 1, Moves: 1, Runs: 1, Alpha: 1e-3}))(t)
		above := 0.0
		end := map[string]float64{}
		for theta, p := range of.Prior[""] {
			for data, q := range of.Simulate[theta] {
				law := of.Posterior[data]
				if !direct {
					law = map[string]float64{}
					for start, w := range of.Prior[""] {
						for to, r := range of.Step[start+"|"+data] {
							law[to] += w * r
						}
					}
					for to, r := range of.Step[theta+"|"+data] {
						end[to] += p * q * r
					}
				}
				for draw, r := range law {
					if draw < theta {
						above += p * q * r
					} else if draw == theta {
						above += p * q * r / 2
					}
				}
			}
		}
		want := above*math.Log(2*above) + (1-above)*math.Log(2*(1-above))
		round := 0.0
		for theta, p := range end {
			round += p * math.Log(p/of.Prior[""][theta])
		}
		for _, s := range found.Tests {
			if s.Name == "SBC" && s.Statistic == "theta" && math.Abs(s.Nats.Value/want-1) > 1e-10 {
				t.Errorf("SBC has %v nats, and by hand %v", s.Nats.Value, want)
			}
			if strings.HasPrefix(s.Name, "Geweke") && math.Abs(s.Nats.Value/round-1) > 1e-10 {
				t.Errorf("Geweke's test has %v nats, and by hand %v", s.Nats.Value, round)
			}
		}
	}
}

// TestPowerForPosteriors: what other tests see is what simulations of them see.
func TestPowerForPosteriors(t *testing.T) {
	longtest.Only(t)
	of := urn(0, 1)
	of.Step = nil
	o := posterior.Options{Draws: 3, Moves: 1, Runs: 300, Alpha: 1e-3}
	found := longtest.Must(examinePosterior(t, of, o))(t)
	i := slices.IndexFunc(found.Tests, func(s posterior.Test) bool { return s.Name == "SBC" && s.Statistic == "theta" })
	limit := distuv.ChiSquared{K: 3}.Quantile(1 - o.Alpha)
	times := 400
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(law map[string]float64) string {
		u := rng.Float64()
		for _, key := range slices.Sorted(maps.Keys(law)) {
			u -= law[key]
			if u < 0 {
				return key
			}
		}
		return slices.Min(slices.Collect(maps.Keys(law)))
	}
	hits := 0.0
	for range times {
		counts := make([]float64, o.Draws+1)
		for range o.Runs {
			theta := pick(of.Prior[""])
			data := pick(of.Simulate[theta])
			rank := 0
			ties := 0
			for range o.Draws {
				switch draw := pick(of.Posterior[data]); {
				case draw < theta:
					rank++
				case draw == theta:
					ties++
				}
			}
			counts[rank+rng.IntN(ties+1)]++
		}
		x := 0.0
		for _, c := range counts {
			x += (c - float64(o.Runs)/4) * (c - float64(o.Runs)/4) / (float64(o.Runs) / 4)
		}
		if x > limit {
			hits++
		}
	}
	p := found.Tests[i].Power
	if se := math.Sqrt(p*(1-p)/1000 + p*(1-p)/float64(times)); !(math.Abs(hits/float64(times)-p) < 5*se) ||
		p < 0.05 || p > 0.95 {
		t.Errorf("the power is %v, and %v of the simulated tests find the fault", p, hits/float64(times))
	}
}
