package smc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/program"
	"breadboard/exact/smc"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// line returns the annealing from uniform to exp(g) on a line of states, with Metropolis' kernel
// and a linear schedule.
func line(g []float64, T int) *chains.Annealing {
	return annealing(g, T, func(space *grid.Lattice) chains.Kernel { return kernels.Metropolis{Space: space} })
}

func annealing(g []float64, T int, kernel func(*grid.Lattice) chains.Kernel) *chains.Annealing {
	space := longtest.Sure(grid.New(len(g)))
	path := longtest.Sure(paths.NewGeometric(nil, g))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernel(space), T))
}

// newSMC returns sequential Monte Carlo over an annealing, and log p~.
func newSMC(a *chains.Annealing, particles int, scheme particle.Scheme, threshold float64) (*particle.SMC, []float64) {
	flow := longtest.Sure(particle.NewAnnealed(a))
	s := longtest.Sure(particle.NewSMC(flow, particles, scheme, threshold))
	logTarget := make([]float64, a.States())
	for x := range logTarget {
		logTarget[x] = flow.LogTarget(x)
	}
	return s, logTarget
}

// enumerated returns the joint distribution of sequential Monte Carlo, of which the constant of xi
// is one.
func enumerated(t rapid.TB, a *chains.Annealing, particles int, scheme particle.Scheme, threshold float64) *smc.Joint {
	t.Helper()
	j, err := smc.EnumerateSMC(context.Background(), a, particles, scheme, threshold, smc.EnumerateOptions{})
	if err != nil {
		t.Fatalf("%v, %d particles, %v, threshold %v: %v", a.Kernel(), particles, scheme, threshold, err)
	}
	return j
}

// holds fails if a finding is above a tolerance.
func holds(t rapid.TB, j *smc.Joint, tolerance float64) {
	t.Helper()
	for _, f := range j.Findings() {
		if !f.Property && !(f.Value <= tolerance) {
			t.Fatalf("%v, by output %v", f, f.ByOutput)
		}
	}
}

func schemes() []particle.Scheme {
	return []particle.Scheme{particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}}
}

// nearly fails if two numbers differ by more than a bound, relative to the larger of one and what
// was wanted.
func nearly(t rapid.TB, what string, got, want, bound float64) {
	t.Helper()
	if !(math.Abs(got-want) <= bound*max(1, math.Abs(want))) {
		t.Fatalf("%s is %.17g, want %.17g", what, got, want)
	}
}

// TestTinySMC compares J, E log Zhat and the mean and variance of AIDE at M = 1, 2, 3, and its mean
// without the first trace, with values that were computed in long arithmetic by walking over all
// traces: by enumeration, by pairs and by the integrals of particles that are never resampled.
func TestTinySMC(t *testing.T) {
	longtest.Only(t)
	three := []float64{0, 1, -0.7}
	for _, test := range []struct {
		g         []float64
		particles int
		scheme    particle.Scheme
		threshold float64
		values    [11]float64 // J, E log Zhat, and for M = 1, 2, 3 the mean, the variance and the mean without the first trace
	}{
		{[]float64{0, 1}, 3, particle.Residual{}, 1, [11]float64{0.000822387430124645047, 0.597207408246488325, 0.0451457244712666836,
			0.0902387545310930905, 0.000783591954695763565, 0.0236862976107693607, 0.0473613952589733989, 0.000802857276886807456, 0.0162276989863460487,
			0.0324515331912315283, 0.000809382073494869028}},
		{[]float64{0, 1}, 3, particle.Stratified{}, 1, [11]float64{0.000821167339059975659, 0.597215300223956524, 0.045130918678999099,
			0.0902093931456588172, 0.000782478808816499533, 0.0236774940260336374, 0.0473438560323007906, 0.000801688020644663116, 0.0162212503308325068,
			0.0324386613169646981, 0.000808194789316915574}},
		{[]float64{0, 1}, 3, particle.Systematic{}, 1, [11]float64{0.00082055762847421318, 0.597219246212706945, 0.0451235157828642486,
			0.0901947123703781828, 0.000781922531784322306, 0.0236730923872013055, 0.0473350867034213613, 0.000801103711302335666, 0.0162180262113418502,
			0.032432225787178616, 0.000807601472585624952}},
		{three, 2, particle.Multinomial{}, 0.9, [11]float64{0.00297719484633285174, 0.278237442741885888, 0.120581096432301638, 0.241300637013498048,
			0.00253437575776092883, 0.065197080994066306, 0.130499675068217497, 0.00273220939632735221, 0.0453264737579814891, 0.0907210377399924883,
			0.002808148667412802}},
		{three, 2, particle.Multinomial{}, 1, [11]float64{0.0033469269655079059, 0.278105080777727665, 0.120517357407901066, 0.241425341595209841,
			0.0027609000044163251, 0.0654758044841917269, 0.131113844596279894, 0.00301938226437838825, 0.0456765696404221738, 0.0914495297761391546,
			0.00312080156397051903}},
		{three, 2, particle.Multinomial{}, 0, [11]float64{0.00303286612593325899, 0.277562650363315067, 0.121917716361613887, 0.243831337030953582,
			0.0025704492345911753, 0.0659303922777218498, 0.131942390192625714, 0.00277919736647798746, 0.0458338098221356474, 0.091728894285555751,
			0.00285868305756560234}},
		{three, 2, particle.Systematic{}, 1, [11]float64{0.0030186686150582313, 0.278490610505068625, 0.119910044995548692, 0.240077858589397536,
			0.00253306629766558017, 0.0649546151111737718, 0.130030208413026205, 0.00274924474278247233, 0.0452030147204488877, 0.0904801407885511971,
			0.00283295850837935598}},
	} {
		if _, is := test.scheme.(particle.Residual); !is && test.particles == 3 && !longtest.More() {
			continue // the other schemes of three particles take half a second each
		}
		name := fmt.Sprint(test.scheme, " ", test.particles, " ", test.threshold)
		a := line(test.g, 3)
		j := enumerated(t, a, test.particles, test.scheme, test.threshold)
		holds(t, j, 1e-13)
		nearly(t, name+": E log Zhat", j.MeanLogZForward(), test.values[1], 1e-13)
		type bounds struct{ j, variance float64 }
		sides := map[smc.Side]bounds{j: {1e-14, 1e-13}}
		switch {
		case test.threshold == 0:
			never := longtest.Sure(smc.NewNever(context.Background(), a, test.particles, 1))
			nearly(t, name+": E log Zhat by integrals", never.MeanLogZForward, test.values[1], 1e-13)
			sides[never] = bounds{1e-15, 1e-12}
		case test.threshold == 1 && test.particles == 2:
			sides[longtest.Sure(smc.NewPairs(context.Background(), a, test.scheme, 1))] = bounds{1e-13, 1e-12}
		}
		for side, bound := range sides {
			for i, e := range against(side, j.Target(), 1, 2, 3) {
				want := test.values[2+3*i:]
				nearly(t, fmt.Sprintf("%s, %T: J", name, side), e.J, test.values[0], bound.j)
				nearly(t, fmt.Sprintf("%s, %T: mean", name, side), e.Mean, want[0], 1e-13)
				nearly(t, fmt.Sprintf("%s, %T: variance", name, side), e.Variance, want[1], bound.variance)
				nearly(t, fmt.Sprintf("%s, %T: without the first trace", name, side), e.MeanWithoutFirst, want[2], 1e-13)
			}
		}
	}
}

// TestIdentities: for every scheme, threshold and number of particles xi = p~/Zhat on every trace,
// and the identities that follow. M = 1 is the gap between both means of log Zhat.
func TestIdentities(t *testing.T) {
	longtest.Only(t)
	cyclic := annealing([]float64{0.3, -1, 1.2}, 3, func(space *grid.Lattice) chains.Kernel { return kernels.SuwaTodoAxis{Space: space} })
	heatBath := func(space *grid.Lattice) chains.Kernel { return kernels.HeatBathAxis{Space: space} }
	short, long := annealing([]float64{0, 1.5}, 2, heatBath), annealing([]float64{0, 1.5}, 3, heatBath)
	for _, a := range []*chains.Annealing{short, long, line([]float64{0.4, -2, 3}, 3), cyclic} {
		for particles := 1; particles <= 3; particles++ {
			if particles == 3 && a.States() == 3 {
				continue
			}
			for _, scheme := range schemes() {
				for _, threshold := range []float64{0, 0.5, 0.9, 1} {
					if a == long && particles == 3 && scheme == schemes()[0] {
						continue // more than 10^6 runs
					}
					if (particles == 3 && threshold < 1 || threshold == 0.5) && !longtest.More() {
						continue
					}
					checkIdentities(t, enumerated(t, a, particles, scheme, threshold))
				}
			}
		}
	}
}

// checkIdentities checks everything that holds for any right algorithm.
func checkIdentities(t rapid.TB, j *smc.Joint) {
	t.Helper()
	holds(t, j, 1e-12)
	list := against(j, j.Target(), 1, 2, 3, 10, 1000)
	gap := j.B()
	nearly(t, "AIDE with one trace", list[0].Mean, gap, 1e-12)
	checkOrder(t, list)
}

// slack is the rounding that an inequality is given.
const slack = 1e-13

// checkOrder checks the inequalities between estimates with a gold standard whose density is known,
// for a growing number of traces.
func checkOrder(t rapid.TB, list []smc.Estimate) {
	t.Helper()
	for i, e := range list {
		room := slack * (1 + math.Abs(e.Mean))
		if !(e.J <= e.Mean+room && e.KLQPLower <= e.KLQP+room && e.KLQP <= e.KLQPUpper+room && e.KLPQ <= e.KLPQUpper+room && e.Variance >= -room) {
			t.Fatalf("out of order: %+v", e)
		}
		if i > 0 && !(e.Mean <= list[i-1].Mean+room && e.KLQPLower >= list[i-1].KLQPLower-room) {
			t.Fatalf("more traces give a larger mean: %+v after %+v", e, list[i-1])
		}
	}
}

// TestIdentitiesWithHostileMagnitudes: constants of 10^12 in log f, and ranges from 10^-12 to
// hundreds of nats.
func TestIdentitiesWithHostileMagnitudes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]float64{1e-12, 1e-3, 1, 10}).Draw(t, "size")
		shift := rapid.SampledFrom([]float64{0, 1e9, -1e12}).Draw(t, "shift")
		g := rapid.SliceOfN(rapid.Float64Range(-1, 1), 2, 3).Draw(t, "g")
		for x := range g {
			g[x] = size*g[x] + shift
		}
		if rapid.Bool().Draw(t, "tie") {
			g[1] = g[0]
		}
		scheme := rapid.SampledFrom(schemes()).Draw(t, "scheme")
		threshold := rapid.SampledFrom([]float64{0, 0.3, 0.5, 0.7, 0.95, 1}).Draw(t, "threshold")
		checkIdentities(t, enumerated(t, line(g, 3), 2, scheme, threshold))
	})
}

// TestZerosOnTheWay: states that lose their mass make runs extinct, and AIDE infinite.
func TestZerosOnTheWay(t *testing.T) {
	a := line([]float64{0, math.Inf(-1), 1}, 3)
	s, logTarget := newSMC(a, 2, particle.Systematic{}, 1)
	j := longtest.Sure(smc.Enumerate(context.Background(), s, logTarget, smc.EnumerateOptions{Constant: 1}))
	// Both particles start in the state in the middle with probability 1/9, and lose their weight
	// at once.
	nearly(t, "extinct", j.Extinct(), 1.0/9, 1e-15)
	holds(t, j, 1e-13)
	e := against(j, j.Target(), 2)[0]
	if !math.IsInf(e.Mean, 1) || math.IsInf(e.J, 0) || math.IsNaN(e.J) || !math.IsInf(j.MeanLogZForward(), -1) {
		t.Errorf("mean %v, J %v, E log Zhat %v", e.Mean, e.J, j.MeanLogZForward())
	}
	if len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "runs of the target are extinct with probability 0.111111") {
		t.Errorf("notes %q", e.Notes)
	}
}

// TestEnumerationThatIsTooLarge is not begun, and its error says what it would take.
func TestEnumerationThatIsTooLarge(t *testing.T) {
	a := line(make([]float64, 30), 20)
	s, logTarget := newSMC(a, 5, particle.Multinomial{}, 1)
	_, err := smc.Enumerate(context.Background(), s, logTarget, smc.EnumerateOptions{})
	var large *smc.TooLarge
	if !errors.As(err, &large) || large.Runs < 1e50 || !strings.Contains(err.Error(), "take fewer states, particles or stages") {
		t.Errorf("error %v", err)
	}
	_, err = smc.Enumerate(context.Background(), s, logTarget[1:], smc.EnumerateOptions{})
	longtest.Refused(t, err, "an algorithm has 30 outputs and the target distribution 29")
	s, logTarget = newSMC(line(make([]float64, 3), 3), 2, particle.Multinomial{}, 1)
	_, err = smc.Enumerate(context.Background(), s, logTarget, smc.EnumerateOptions{Program: program.Options{Branches: 100}})
	if !errors.As(err, &large) || large.Limit != 100 {
		t.Errorf("error %v", err)
	}
}

// perfect is annealed importance sampling whose first step is as in the supplement of AIDE, Eq. 46:
// k_1 = p_0, and each kernel k_t and l_t draws from p_{t-1}, so that the chain mixes perfectly. Its
// distributions p_0, ..., p_T are given by their weights.
type perfect struct{ p [][]float64 }

// Outputs implements particle.Algorithm.
func (a perfect) Outputs() int { return len(a.p[0]) }

// Run draws x_t from p_{t-1} for t = 1..T.
func (a perfect) Run(c chains.Chooser) particle.Result {
	path := make([]int, len(a.p)-1)
	for t := range path {
		path[t] = c.Choose(a.p[t])
	}
	return a.result(path)
}

// Meta draws x_{t-1} from p_{t-1} for t = T..2, by the kernels l_t.
func (a perfect) Meta(c chains.Chooser, x int) particle.Result {
	path := make([]int, len(a.p)-1)
	path[len(path)-1] = x
	for t := len(path) - 2; t >= 0; t-- {
		path[t] = c.Choose(a.p[t+1])
	}
	return a.result(path)
}

// result says q(u, x)/r(u; x), factor by factor.
func (a perfect) result(path []int) particle.Result {
	logXi := 0.0
	trace := ""
	for t, x := range path {
		logXi += math.Log(a.p[t][x])
		if t < len(path)-1 {
			logXi -= math.Log(a.p[t+1][x])
		}
		trace += fmt.Sprint(x, " ")
	}
	return particle.Result{Output: path[len(path)-1], Trace: particle.Trace(trace), LogXi: logXi}
}

// TestPerfectMixing: Eq. 46 of the supplement of Cusumano-Towner and Mansinghka 2017 gives the
// divergence of a run's traces from those of meta-inference, for kernels that mix perfectly, as the
// sum of KL(p_{t-1}||p_t). The printed range of the sum is t = 2..T. Walking over all traces shows
// that it is t = 1..T-1: the first distribution p_0 counts, and the last p_T does not.
func TestPerfectMixing(t *testing.T) {
	const enumeratedKL, printed = 0.13779427682501781, 0.121962718800148277
	alg := perfect{}
	for _, w := range [][]float64{{1, 1, 1}, {1, 2, 0.7}, {1, 3, 0.5}, {1, 5, 0.2}} {
		sum := w[0] + w[1] + w[2]
		alg.p = append(alg.p, []float64{w[0] / sum, w[1] / sum, w[2] / sum})
	}
	kl := func(p, q []float64) (sum float64) {
		for x := range p {
			sum += p[x] * math.Log(p[x]/q[x])
		}
		return sum
	}
	logTarget := make([]float64, 3)
	for x, p := range alg.p[2] {
		logTarget[x] = math.Log(p)
	}
	j := longtest.Sure(smc.Enumerate(context.Background(), alg, logTarget, smc.EnumerateOptions{Constant: 1}))
	holds(t, j, 1e-14)
	e := against(j, j.Target(), 1)[0]
	nearly(t, "KL(q(u|x)||r(u; x))", e.LowerHalf, enumeratedKL, 1e-15)
	nearly(t, "the sum over t = 1..T-1", kl(alg.p[0], alg.p[1])+kl(alg.p[1], alg.p[2]), enumeratedKL, 1e-15)
	nearly(t, "the sum over t = 2..T", kl(alg.p[1], alg.p[2])+kl(alg.p[2], alg.p[3]), printed, 1e-15)
}
