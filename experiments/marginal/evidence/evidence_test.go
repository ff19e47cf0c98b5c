package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// selected returns the cases of toys with the defaults of the study.
func selected(t testing.TB, toys ...string) []subject.Case {
	t.Helper()
	return with(t, subject.Selection{Toys: toys})
}

// with returns the cases of a selection, with the defaults of the study where it names none.
func with(t testing.TB, s subject.Selection) []subject.Case {
	t.Helper()
	s.Reader.Forms = forms.All()
	s.Path = "geometric"
	if s.Schedule == "" {
		s.Schedule = evidence.DefaultSchedule
	}
	return longtest.Must(evidence.AnnealingsOf(context.Background(), s))(t)
}

// run returns the rows of a question.
func run(t testing.TB, cases []subject.Case, o evidence.Options, h study.How) []evidence.Row {
	t.Helper()
	return longtest.Must(study.Run(context.Background(), evidence.Study(), cases, o, h))(t)
}

// one returns the single row of an estimator on a toy with a work.
func one(t *testing.T, cases []subject.Case, estimator string, work float64) evidence.Row {
	t.Helper()
	rows := run(t, cases, evidence.Options{
		Estimators: []string{estimator},
		Work:       []float64{work},
		Trials:     []int{1},
	}, study.How{})
	if len(rows) != 1 || rows[0].Error != "" {
		t.Fatalf("%s: rows %+v", estimator, rows)
	}
	return rows[0]
}

func TestForms(t *testing.T) {
	selectortest.Run(t, selectortest.Check[selector.Nothing, evidence.Choice]{
		Set: evidence.Forms(), Name: func(c evidence.Choice) string { return c.Name },
		Same: func(a, b evidence.Choice) bool { return a.Name == b.Name },
	})
	for text, name := range map[string]string{
		"ns:2:label:paper": "ns:2", "ns:2:strict": "ns:2:strict", "ns:1e2:together:paper": "ns:100:together",
		"ns:3:label:unbiased": "ns:3:label:unbiased",
		"ns:2:label:lower":    "ns:2:label:lower", "hme:prior": "hme:prior", "cms:uniform": "cms",
		"smc:posterior": "smc", "smc:prior": "smc:prior",
		"shme:posterior:03": "shme:posterior:3", "smc:prior:perfect": "smc:prior:perfect",
	} {
		if c, err := evidence.Parse(text); err != nil || c.Name != name {
			t.Errorf("%s is %s, %v; want %s", text, c.Name, err, name)
		}
	}
}

// TestSettingByHand: a setting that is chosen makes the row that the work which pays for it makes,
// and what cannot be chosen is refused.
func TestSettingByHand(t *testing.T) {
	longtest.Only(t)
	cases := selected(t, "clu4")
	of := func(work float64, estimators ...string) []evidence.Row {
		return run(t, cases, evidence.Options{
			Estimators: estimators,
			Work:       []float64{work},
			Trials:     []int{1, 2},
			Above:      []float64{1, -0.5},
		}, study.How{})
	}
	for _, c := range []struct{ given, by, setting string }{
		{"lw:K=7", "lw", "K=7"}, {"hme:chain:K=3", "hme:chain", "K=3"}, {"ais:T=9", "ais", "T=9"},
		{"rais:T=2", "rais", "T=2"}, {"chib:K=4", "chib", "K=4"},
		{"cms:first:K=5", "cms:first", "K=5"}, {"cms:uniform:K=1e1", "cms", "K=10"}, {"ns:K=3", "ns", "K=3"},
		{"ns:2:together:M=2", "ns:2:together", "K=2 M=2"},
	} {
		given := of(1, c.given)
		paid := of(given[0].Work*(1+1e-9), c.by)
		for i, r := range given {
			want := paid[i]
			if r.Estimator != c.by || r.Settings != c.setting || want.Settings != c.setting ||
				r.Mean != want.Mean || r.SD != want.SD ||
				fmt.Sprint(r.PAbove1) != fmt.Sprint(want.PAbove1) || r.Work != want.Work {
				t.Errorf("%s: %s %s, mean %v, work %v; by its work %s %s, %v, %v", c.given, r.Estimator,
					r.Settings, r.Mean, r.Work, want.Estimator,
					want.Settings, want.Mean, want.Work)
			}
			if len(r.Above) != 2 || r.Above[0].Low != r.PAbove1Low && !math.IsNaN(r.PAbove1Low) ||
				r.Above[0].High > r.Above[1].High ||
				math.IsNaN(r.Above[1].Low) != (r.Above[1].Note != "") {
				t.Errorf("%s: %+v, and P(> +1) is %v", c.given, r.Above, r.PAbove1)
			}
		}
		if again, err := evidence.Parse(c.given); err != nil || !strings.HasPrefix(again.Name, c.by+":") {
			t.Errorf("%s is %s, %v", c.given, again.Name, err)
		} else if twice, err := evidence.Parse(again.Name); err != nil || twice.Name != again.Name {
			t.Errorf("%s parses back to %s, %v", again.Name, twice.Name, err)
		}
	}
	for text, want := range map[string]string{
		"lw:T=3": "write lw:K=3", "ns:2:K=3": "has no setting to choose", "lw:K=0": "from 1 to 1e9",
		"ais:T=1": "from 2", "vb:K=2": "has no setting",
		"lv:K=3": "did you mean lw", "lw:K": "takes no argument",
	} {
		longtest.Refuses(evidence.Parse(text))(t, want, text)
	}
	if e, err := evidence.Expect(context.Background(), &cases[0], "lw:K=3", 0, 1); err != nil ||
		e.Name != "lw:K=3" || math.Abs(e.LogMean) > 1e-12 {
		t.Errorf("the law of a claim: %+v, %v", e, err)
	}
}

// TestNoExactDraws: from a prior draw the harmonic mean may be far below the truth, where one from
// an exact draw is above it.
func TestNoExactDraws(t *testing.T) {
	for _, r := range run(t, selected(t, "hard"), evidence.Options{
		Estimators: []string{"hme:prior:K=5"},
		Work:       []float64{1},
		Trials:     []int{1},
	}, study.How{}) {
		if r.Bias > -10 || r.NeedsExactDraw || r.Bound != evidence.NoBound || r.Work != 49 {
			t.Errorf("%+v", r)
		}
	}
}

// TestLacking: an estimator that a toy cannot take has a row that says why, on this toy alone, and
// a question of which no toy can take anything is refused.
func TestLacking(t *testing.T) {
	rows := run(t, selected(t, "barrier:3x3", "clu4"), evidence.Options{
		Estimators: []string{"vb", "lw:K=2"},
		Work:       []float64{1},
		Trials:     []int{1},
	}, study.How{})
	if len(rows) != 4 || rows[0].Estimator != "vb" ||
		!strings.Contains(rows[0].Error, "it needs a clustering") || !math.IsNaN(rows[0].Mean) {
		t.Fatalf("%+v", rows)
	}
	for _, r := range rows[1:] {
		if r.Error != "" || math.IsNaN(r.Mean) {
			t.Errorf("%s on %s: %s", r.Estimator, r.Toy.Name, r.Error)
		}
	}
	o := evidence.Options{Estimators: []string{"vb", "bic"}, Work: []float64{1}, Trials: []int{1}}
	longtest.Refuses(evidence.Study().Plan(context.Background(), selected(t, "barrier:3x3"), &o))(t,
		"estimator vb: it needs",
		"nothing can be taken",
	)
}

// TestStandard: All stands for forms that there are, and for one of every form.
func TestStandard(t *testing.T) {
	seen := map[string]bool{}
	for _, text := range evidence.Standard() {
		c, err := evidence.Parse(text)
		if err != nil || c.Name != text {
			t.Errorf("%s is %s, %v", text, c.Name, err)
		}
		name, _, _ := strings.Cut(text, ":")
		seen[name] = true
	}
	for _, f := range evidence.Forms().Listing.All() {
		if !seen[f.Name()] {
			t.Errorf("%s is not among those that all stands for", f.Name())
		}
	}
}

// TestRows holds rows to figures that independent programs have computed, with the settings that
// the work pays for.
func TestRows(t *testing.T) {
	longtest.Only(t)
	const none = -1e99
	for _, c := range []struct {
		toy, kernel, estimator string
		work                   float64
		settings               string
		log, mean, sd, logMean float64 // log Z, mean - log Z, sd, log E Z-hat - log Z
		tolerance              float64
	}{
		{"clu8", "", "cms", 48, "K=3", -19.0105840334197, -0.69314, 0.0095, 0, 1e-3},
		{"easy", "", "cms:first", 240, "K=10", none, none, none, math.Log(1.07154442996), 1e-10},
		{"easy", "", "cms", 240, "K=10", none, none, none, 0, 1e-11},
		{"easy", "metropolis", "cms", 1, "K=1", none, none, none, math.Log(0.2072), 1e-3},
		{"easy", "", "ns:2", 1, "K=2", none, 0.456362, none, 0.680134, 1e-6},
		{"barrier", "", "ns:2", 1, "K=2", none, 0.309941, none, 0.498600, 1e-6},
		{"hard", "", "ns:2", 1, "K=2", none, 0.636826, none, 1.086641, 1e-6},
		{"hard", "", "ns:2:label:unbiased", 1, "K=2", none, none, none, 0, 1e-11},
		{"barrier", "", "ns:2:strict", 1, "K=2", none, none, none, math.Log(9.7517173 / 4.2402127), 1e-7},
		{"clu4", "", "vb", 1, "restarts=1", -4.5010601950244, -4.5192461308 + 4.5010601950244, 0, none, 1e-9},
		{"clu4", "", "vb:sym", 1, "restarts=1", -4.5010601950244, -3.8260989502 + 4.5010601950244,
			0, none, 1e-9},
		{"clu4", "", "mf", 1, "restarts=1", -4.5010601950244, -4.5012246969 + 4.5010601950244, 0, none, 1e-9},
		{"clu8", "", "mf:sym", 1, "restarts=1", -19.0105840334197, -19.0155962488 + 19.0105840334197, 0,
			none, 1e-9},
		{"clu6", "", "lw", 1, "K=1", -24.1127294912719, -27.2104201031442 + 24.1127294912719,
			2.24392181233377, 0, 1e-11},
		{"clu6", "", "hme", 4, "K=2", -24.1127294912719, -22.1431336730482 + 24.1127294912719,
			1.43551590056859, none, 1e-11},
		{"clu6", "", "ais", 7, "T=2", -24.1127294912719, -27.2104201031442 + 24.1127294912719,
			2.24392181233374, 0, 1e-11},
		{"clu6", "", "rais", 7, "T=2", -24.1127294912719, -21.7707701496715 + 24.1127294912719,
			none, none, 1e-11},
		{"clu6", "", "smc:posterior:0", 7, "scans=0", -24.1127294912719, -24.2295086852672 + 24.1127294912719,
			0.505518780121306, 0, 1e-11},
		{"clu6", "", "shme:posterior:0", 7, "scans=0", -24.1127294912719,
			-24.0051743883969 + 24.1127294912719, none, none, 1e-11},
	} {
		r := one(t, with(t, subject.Selection{Toys: []string{c.toy}, Kernel: c.kernel}), c.estimator, c.work)
		if r.Settings != c.settings {
			t.Errorf("%s %s: settings %s, want %s", c.toy, c.estimator, r.Settings, c.settings)
		}
		for _, v := range []struct {
			name      string
			got, want float64
		}{{"log Z", r.LogZRatio, c.log}, {"bias", r.Bias, c.mean}, {"sd", r.SD, c.sd},
			{"log E Z-hat - log Z", r.LogMeanZ - r.LogZRatio, c.logMean}} {
			if v.want != none && !(v.got == v.want || math.Abs(v.got-v.want) <= c.tolerance) {
				t.Errorf("%s %s: %s %.12g, want %.12g", c.toy, c.estimator, v.name, v.got, v.want)
			}
		}
		if !math.IsInf(r.Bias, 0) && math.Abs(r.Mean-r.LogZRatio-r.Bias) > 1e-12*(1+math.Abs(r.Mean)) {
			t.Errorf("%s %s: mean %v, log Z %v, bias %v", c.toy, c.estimator, r.Mean, r.LogZRatio, r.Bias)
		}
	}
}

// TestOmissions: All leaves out what a toy cannot take, and says so; what is named itself is an
// error.
func TestOmissions(t *testing.T) {
	cases := selected(t, "random:1:0:2x3")
	options := evidence.Options{Estimators: []string{evidence.All}, Work: []float64{10}, Trials: []int{1}}
	refused := func(cases []subject.Case) error {
		_, err := evidence.Study().Plan(context.Background(), cases, &options)
		return err
	}
	var names []string
	for _, o := range run(t, cases, options, study.How{})[0].Shared.Omitted {
		names = append(names, o.Estimator)
	}
	if got := strings.Join(names, " "); got != "smc shme pf mf:sym vb vb:sym bic" {
		t.Errorf("left out: %s", got)
	}
	for _, name := range names {
		options.Estimators = []string{name}
		if refused(cases) == nil {
			t.Errorf("%s is valid", name)
		}
	}
	options.Estimators = []string{"vb"}
	uniform := with(t, subject.Selection{Toys: []string{"clu4"}, Initial: "uniform"})
	longtest.Refused(t, refused(uniform), "start it from the prior", "variational Bayes for another Z")
}

// TestZeroLikelihood: a target that shares no state with the initial distribution is an error.
func TestZeroLikelihood(t *testing.T) {
	toy := longtest.File(t, "g.csv", "0,1\n-inf,-inf\n")
	start := longtest.File(t, "start.csv", "-inf,-inf\n0,0\n")
	s := subject.Selection{
		Reader:   forms.Reader(),
		Toys:     []string{"file:" + toy},
		Initial:  "file:" + start,
		Path:     "geometric",
		Schedule: "linear",
	}
	longtest.Refuses(evidence.AnnealingsOf(context.Background(), s))(t, "positive on no common state")
}

// TestConstant: a constant in log f moves the mean, and no digit of the bias.
func TestConstant(t *testing.T) {
	var rows [2]evidence.Row
	for i, text := range []string{
		"0,1,2\n3,1,-2\n", "1e12,1000000000001,1000000000002\n1000000000003,1000000000001,999999999998\n"} {
		rows[i] = one(t, selected(t, "file:"+longtest.File(t, "g.csv", text)), "lw", 10)
	}
	if rows[0].Bias != rows[1].Bias || rows[0].SD != rows[1].SD || rows[1].LogZRatio < 1e12-10 {
		t.Errorf("%+v\n%+v", rows[0].Numbers, rows[1].Numbers)
	}
}

// TestSample: runs of all estimators agree with their distributions, single and combined. Each z
// has about a standard normal distribution; that one of some 40 is beyond 5 has a probability below
// 1e-4.
func TestSample(t *testing.T) {
	longtest.Only(t)
	runs := longtest.Times(700, 4000)
	cases := selected(t, "clu4")
	tested := 0
	for _, r := range run(t, cases, evidence.Options{
		Estimators: []string{evidence.All, "ns:2:together"},
		Work:       []float64{30},
		Trials:     []int{1, 3},
		Runs:       runs,
		Seed:       1,
	}, study.How{}) {
		if math.IsNaN(r.Sample.Z) {
			continue
		}
		tested++
		if math.Abs(r.Sample.Z) > 5 {
			t.Errorf("%s %s %s: %v +/- %v, exactly %v", r.Estimator, r.Settings, r.Combined(), r.Sample.Mean,
				r.Sample.StandardError, r.Mean)
		}
	}
	if tested < 20 {
		t.Errorf("%d rows were tested", tested)
	}
}

// TestTail: tails fall, hold what is known of one nat, and hold Markov's inequality for unbiased
// estimates.
func TestTail(t *testing.T) {
	estimators := []string{"ais", "mf", "lw", "ns:2"}
	if !longtest.Enabled() {
		estimators = estimators[:2]
	}
	tails := 0
	for _, r := range run(t, selected(t, "random:2:0:2x2"),
		evidence.Options{Estimators: estimators, Work: []float64{2, 5}, Trials: []int{1, 2}},
		study.How{Figures: true}) {
		if r.Tail == nil {
			continue
		}
		tails++
		for i, p := range r.Tail {
			if !(p.Low <= p.High) || i > 0 && (p.Low > r.Tail[i-1].High || p.Nats <= r.Tail[i-1].Nats) {
				t.Errorf("%s on %s: %+v after %+v", r.Estimator, r.Toy.Name, p, r.Tail[max(0, i-1)])
			}
			if r.Estimator != "ns:2" && p.Low > math.Exp(-p.Nats) {
				t.Errorf("%s on %s: P(> %v) is at least %v, above exp(-b)", r.Estimator, r.Toy.Name, p.Nats, p.Low)
			}
		}
	}
	if tails != len(estimators) {
		t.Errorf("%d tails", tails)
	}
}

// TestOptions: each mistake is an error that names the option, and a context that has ended ends
// the study.
func TestOptions(t *testing.T) {
	cases := selected(t, "clu4")
	good := evidence.Options{Estimators: []string{"lw"}, Work: []float64{10}, Trials: []int{1}}
	casetest.Ends(t, evidence.Study(), cases, good)
	for want, change := range map[string]func(*evidence.Options){
		"work 0.5":   func(o *evidence.Options) { o.Work = []float64{0.5} },
		"work NaN":   func(o *evidence.Options) { o.Work = []float64{math.NaN()} },
		"work 1e+10": func(o *evidence.Options) { o.Work = []float64{1e10} },
		"trials 0":   func(o *evidence.Options) { o.Trials = []int{0} },
		"chains 1":   func(o *evidence.Options) { o.Runs = 1 },
		"no work":    func(o *evidence.Options) { o.Work = nil },
		"above +Inf": func(o *evidence.Options) { o.Above = []float64{math.Inf(1)} },
		"GB": func(o *evidence.Options) {
			o.Runs = 2
			o.Work = []float64{1e9}
		},
		"did you mean lw": func(o *evidence.Options) { o.Estimators = []string{"lv"} },
		"from 2":          func(o *evidence.Options) { o.Estimators = []string{"ns:1"} },
	} {
		o := good
		change(&o)
		longtest.Refuses(evidence.Study().Plan(context.Background(), cases, &o))(t, want)
	}
	o := good
	if p, err := evidence.Study().Plan(context.Background(), cases, &o); err != nil || p.Steps != 1 {
		t.Errorf("%d steps, %v", p.Steps, err)
	}
}

// TestBounds: what is said to be a bound is one on every target here, for one estimate and for
// several.
func TestBounds(t *testing.T) {
	longtest.Only(t)
	rows := run(t, selected(t, "clu4", "random:1:0:2x2", "random:3:2:2x3"),
		evidence.Options{
			Estimators: []string{evidence.All, "ns:3:label:unbiased", "ns:3:strict:unbiased"},
			Work:       []float64{4, 20},
			Trials:     []int{1, 3},
		}, study.How{})
	const rounding = 1e-11
	draws := map[string]bool{}
	bounds := map[string]map[evidence.Bound]bool{}
	for i := range rows {
		r := &rows[i]
		if r.Bound == evidence.Lower && r.Bias > rounding || r.Bound == evidence.Upper && r.Bias < -rounding {
			t.Errorf("%s: %s %s %s: bias %v of a bound that is %s", r.Toy.Name, r.Estimator, r.Settings,
				r.Combined(), r.Bias, r.Bound)
		}
		if r.Bound == evidence.Lower && r.LogMeanZ > r.LogZRatio+rounding {
			t.Errorf("%s: %s %s %s: E Z-hat is above Z", r.Toy.Name, r.Estimator, r.Settings, r.Combined())
		}
		draws[r.Estimator] = r.NeedsExactDraw
		if bounds[r.Estimator] == nil {
			bounds[r.Estimator] = map[evidence.Bound]bool{}
		}
		bounds[r.Estimator][r.Bound] = true
	}
	for name, want := range map[string]evidence.Bound{
		"lw": evidence.Lower, "hme": evidence.Upper, "hme:chain": evidence.Upper, "ais": evidence.Lower,
		"rais": evidence.Upper, "smc": evidence.Lower,
		"shme": evidence.Upper, "chib": evidence.Upper,
		"chib:chain": evidence.NoBound, "cms": evidence.Lower, "cms:first": evidence.NoBound,
		"ns":                  evidence.NoBound,
		"ns:3:label:unbiased": evidence.Lower, "ns:3:strict:unbiased": evidence.NoBound, "mf": evidence.Lower,
		"mf:sym": evidence.Lower, "vb": evidence.Lower, "vb:sym": evidence.NoBound,
		"bic": evidence.NoBound,
	} {
		if len(bounds[name]) != 1 || !bounds[name][want] {
			t.Errorf("%s is %v, want %s", name, bounds[name], want)
		}
	}
	for name, want := range map[string]bool{
		"lw": false, "ais": false, "chib:chain": false, "cms": false, "vb": false, "hme": true, "rais": true,
		"chib": true, "ns": true} {
		if draws[name] != want {
			t.Errorf("%s: exact draws %v", name, draws[name])
		}
	}
}

// TestUsable: rows are ordered target by target, and the best is one that real data allow at the
// work.
func TestUsable(t *testing.T) {
	rows := run(t, selected(t, "random:1:0:2x2", "clu4"),
		evidence.Options{Estimators: []string{"hme", "lw", "ais", "mf"}, Work: []float64{4, 20},
			Trials: []int{1}}, study.How{})
	lists := evidence.ByTarget(rows)
	if len(lists) != 2 || rows[0].Shared.Work != 20 {
		t.Fatalf("%d targets, work %v", len(lists), rows[0].Shared.Work)
	}
	for _, list := range lists {
		for i := range list {
			if list[i].Toy.Name != list[0].Toy.Name {
				t.Errorf("row %d is %s %s with %v", i, list[i].Toy.Name, list[i].Estimator, list[i].RMSE)
			}
		}
		best := evidence.Usable(list, 20)
		if best == nil || best.NeedsExactDraw || best.Work > 20 {
			t.Fatalf("best %+v", best)
		}
		for _, r := range list {
			if !r.NeedsExactDraw && r.Work <= 20 && r.RMSE < best.RMSE {
				t.Errorf("%s %s has less than %s", r.Estimator, r.Settings, best.Estimator)
			}
		}
	}
	if evidence.Usable([]evidence.Row{{Work: 30, Numbers: evidence.Numbers{RMSE: 1}},
		{Work: 1, Numbers: evidence.Numbers{RMSE: math.NaN()}},
		{Work: 1, NeedsExactDraw: true}}, 20) != nil {
		t.Error("a row that real data do not allow, that costs too much or of which nothing is known is usable")
	}
}

// TestInterruptedPlan: if the context ends while the question is looked at, that is the error, and
// not that the target has no such estimator.
func TestInterruptedPlan(t *testing.T) {
	cases := selected(t, "random:1:0:2x2") // which has no data, so that some of all estimators are left out
	for looks := range 60 {
		ctx := longtest.EndsAfter(looks)
		o := evidence.Study().Standard // all estimators
		if _, err := evidence.Study().Plan(ctx, cases, &o); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("ended at look %d: %v", looks, err)
		}
	}
}

// AIS and reverse AIS enclose log Z, and variational Bayes with log K! is above it although
// variational Bayes is a lower bound.
func ExampleStudy() {
	ctx := context.Background()
	cases, _ := evidence.AnnealingsOf(
		ctx,
		subject.Selection{Reader: forms.Reader(),
			Toys: []string{"clu4"}, Path: "geometric", Schedule: evidence.DefaultSchedule},
	)
	rows, err := study.Run(ctx, evidence.Study(), cases,
		evidence.Options{Estimators: []string{"ais", "rais", "vb:sym"}, Work: []float64{10},
			Trials: []int{1}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-8s %-10s bias %+.6f, sd %.6f nats\n", r.Estimator, r.Settings, r.Bias, r.SD)
	}
	// Output:
	// ais      T=3        bias -0.000103, sd 0.014348 nats
	// rais     T=3        bias +0.000104, sd 0.014435 nats
	// vb:sym   restarts=1 bias +0.674961, sd 0.000000 nats
}
