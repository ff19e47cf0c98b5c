package diagnose_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/forms"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

// weatherAxes are the axes of a target: rain with labels, week with labels that are numbers, and
// heat with values.
func weatherAxes() []models.Axis {
	return []models.Axis{
		{Name: "rain", Labels: []string{"no", "yes"}}, {Name: "week1", Labels: []string{"1", "0", "2"}},
		{Name: "heat", Values: []float64{-0.5, 20}}}
}

// weatherToy gives probability to the states without rain at heat 20, and to rain in the week
// labelled 0 alone: 1, 2, 3 and 4 of 10.
func weatherToy(t *testing.T) *toys.Toy {
	t.Helper()
	g := make([]float64, 12)
	for x := range g {
		g[x] = math.Inf(-1)
	}
	for x, p := range map[int]float64{1: 1, 3: 2, 5: 3, 8: 4} {
		// rain, week, heat: 0 0 1, 0 1 1, 0 2 1, 1 1 0
		g[x] = math.Log(p)
	}
	return &toys.Toy{Name: "weather", Space: longtest.Must(grid.New(2, 3, 2))(t), G: g, Axes: weatherAxes()}
}

// variables writes files, reads them and diagnoses them.
func variables(t *testing.T, target *diagnose.Target, contents ...string) ([]diagnose.Variable, error) {
	t.Helper()
	dir := t.TempDir()
	o := files.DrawsOptions{Most: 1000}
	if target != nil {
		o.Domain = target.Domain
		o.Own = target.Own
		o.Meant = target.Codes.Meant
	}
	var paths []string
	for i, content := range contents {
		path := filepath.Join(dir, string(rune('a'+i))+".csv")
		longtest.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		paths = append(paths, path)
	}
	d, err := files.ReadDraws(context.Background(), paths, o)
	if err != nil {
		return nil, without(dir, err)
	}
	rows, err := diagnose.Variables(context.Background(), d, target, nil, func(int) {})
	return rows, without(dir, err)
}

// said returns notes as texts.
func said(notes []diagnose.Note) (texts []string) {
	for _, n := range notes {
		texts = append(texts, n.Error())
	}
	return texts
}

// TestCopiesCountOnce: a chain that is another one, draw for draw, adds nothing, and is named.
// Chains that hardly change may be alike by chance.
func TestCopiesCountOnce(t *testing.T) {
	chain := func(seed uint64, kinds int) string {
		var b strings.Builder
		b.WriteString("v\n")
		for rng := rand.New(rand.NewPCG(1, seed)); b.Len() < 300; {
			fmt.Fprintln(&b, rng.IntN(kinds))
		}
		return b.String()
	}
	one := chain(1, 5)
	alone := longtest.Must(variables(t, nil, one, chain(2, 5)))(t)[0]
	four := longtest.Must(variables(t, nil, one, one, chain(2, 5), one))(t)[0]
	if four.Chains != 2 || four.RHatRank != alone.RHatRank || four.ESSBulk != alone.ESSBulk ||
		!slices.Contains(said(four.Notes),
			"chains 2 and 4 are chain 1, draw for draw, as if all had one seed: they are counted once") {
		t.Errorf("%+v, for %+v", four, alone)
	}
	if still := longtest.Must(variables(t, nil, chain(1, 1), chain(1, 1)))(t)[0]; still.Chains != 2 {
		t.Errorf("constant chains: %+v", still)
	}
}

// without leaves the name of a folder out of an error.
func without(dir string, err error) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
}

// TestVariablesOfATarget: columns are found by name in any order, values by label, by number and by
// value, and the exact numbers are those of the target.
func TestVariablesOfATarget(t *testing.T) {
	target := longtest.Must(diagnose.NewTarget(weatherToy(t), []string{"rain", "g"}))(t)
	rows := longtest.Must(variables(t, target,
		"heat,week[1],note,rain,week1<=1\n20,1,7,no,1\n20,0,8,0,1\n-0.5,0,7,yes,0\n20.00001,2,9,0.0,1\n"+
			"20,1.0,7,no,1\n"))(t)
	for i, want := range []struct {
		name, function      string
		mean, exact, exactD float64
	}{
		{"heat", "heat", 79.5 / 5, 0.6*20 - 0.2, math.Sqrt(0.6*0.4) * 20.5},
		// labels, not coordinates
		{"week[1]", "week1", 0.8, 0.2*1 + 0.3*2 + 0.4*1, math.Sqrt(0.6*1 + 0.3*4 - 1.2*1.2)},
		{"note", "", 38. / 5, 0, 0},
		{"rain", "rain", 0.2, 0.4, math.Sqrt(0.24)},
		{"week1<=1", "week1<=1", 0.8, 0.7, math.Sqrt(0.21)},
		{"g", "g", (2*0 + math.Log(2) + math.Log(3) + math.Log(4)) / 5,
			0.2*math.Log(2) + 0.3*math.Log(3) + 0.4*math.Log(4), math.NaN()},
	} {
		r := rows[i]
		if r.Name != want.name || math.Abs(r.Mean-want.mean) > 1e-12 {
			t.Errorf("%s has the mean %v, want %+v", r.Name, r.Mean, want)
		}
		if want.function == "" {
			if r.Truth != nil {
				t.Errorf("%s has %+v", r.Name, r.Truth)
			}
			continue
		}
		if r.Truth == nil || r.Truth.Function != want.function || math.Abs(r.Truth.Mean-want.exact) > 1e-12 ||
			!(math.Abs(r.Truth.SD-want.exactD) <= 1e-12 || math.IsNaN(want.exactD)) {
			t.Errorf("%s: %+v, want %+v", r.Name, r.Truth, want)
			continue
		}
		if got := r.MeanError(); got != (r.Mean-r.Truth.Mean)/r.MCSEMean ||
			r.SDError() != (r.SD-r.Truth.SD)/r.MCSESD {
			t.Errorf("%s is off by %v", r.Name, got)
		}
		e := (r.Mean - r.Truth.Mean) / r.Truth.SD
		if got := 1 / (e * e); math.Abs(r.Truth.RESSChains/got-1) > 1e-12 {
			t.Errorf("RESS of %s is %v, want %v", r.Name, r.Truth.RESSChains, got)
		}
	}
	if len(rows) != 6 {
		t.Errorf("%d rows", len(rows))
	}
}

// TestColumnsThatNeverMoved: chains of a Gibbs sampler on a network in which either is tub or lung
// never leave the class in which they start. The error of such a column is a number in exact
// standard deviations, and a note names the classes.
func TestColumnsThatNeverMoved(t *testing.T) {
	const asia = "bif:../../../../toys/networks/testdata/asia.bif:evidence=xray=yes+dysp=yes"
	toy := longtest.Must(forms.All().Parse(asia))(t)
	target := longtest.Must(diagnose.NewTarget(toy, nil))(t)
	const (
		class = "never leaves the class of its first state; there are 2: 24 states, with " +
			"asia=yes,tub=yes,smoke=yes,lung=yes,bronc=yes,either=yes, of probability 0.7287; 8 states"
		cure    = "all draws are 0: the variable never changes, and its mean is off by 0.6101 exact standard deviations"
		moving  = "either,bronc\nyes,yes\nyes,no\nyes,yes\nyes,no\n"
		another = "either,bronc\nno,yes\nno,no\nno,yes\nno,no\n"
	)
	for _, files := range [][]string{{moving}, {moving, another}} {
		rows := longtest.Must(variables(t, target, files...))(t)
		text := strings.Join(said(rows[0].Notes), "\n")
		if !strings.Contains(text, class) || strings.Contains(text, cure) != (len(files) == 1) {
			t.Error(text)
		}
		if p, got := rows[0].Truth.Mean, rows[0].MeanErrorSD(); len(files) == 1 &&
			math.Abs(got+p/math.Sqrt(p*(1-p))) > 1e-12 {
			t.Errorf("off by %v exact standard deviations, with an exact mean of %v", got, p)
		}
	}
	rows := longtest.Must(variables(t, target, "asia,bronc\nno,yes\nyes,no\nno,yes\nno,no\n"))(t)
	if strings.Contains(strings.Join(said(rows[0].Notes),
		""), "class") {
		t.Error(said(rows[0].Notes))
	}
}

// TestCodesFromOne: values that are counted from 1 are values here, and a note says that 0 is
// missing; labels, and values that are hardly ever drawn, have none.
func TestCodesFromOne(t *testing.T) {
	const asia = "bif:../../../../toys/networks/testdata/asia.bif:evidence=xray=yes+dysp=yes"
	toy := longtest.Must(forms.All().Parse(asia))(t)
	for _, test := range []struct {
		draws string
		noted bool
	}{
		{"either,asia\n1,1\n1,1\n1,1\n1,1\n", true},
		{"either,asia\n1,1\n0,1\n1,1\n1,1\n", false}, // asia is 0 with a probability of 0.014 only
		{"either,asia\nno,no\nno,no\nno,no\nno,no\n", false},
		{"state\n1\n2\n3\n1\n", false},
	} {
		rows := longtest.Must(variables(t, longtest.Must(diagnose.NewTarget(toy, nil))(t), test.draws))(t)
		if text := strings.Join(said(rows[0].Notes), "\n"); strings.Contains(text,
			"either is never 0, a value of probability 0.7287: values are counted from 0 here; if your "+
				"program counts from 1, like JAGS and R, give base 1") !=
			test.noted ||
			strings.Contains(text, "asia is never 0") || strings.Contains(text, "state is never 0") {
			t.Errorf("%q: %s", test.draws, text)
		}
	}
}

// TestCodesFromZero: a value that is never drawn is no sign of another base if the mean is right.
func TestCodesFromZero(t *testing.T) {
	toy := longtest.Must(forms.All().Parse("cells:0:0:0:0:0"))(t)
	for draws, noted := range map[string]bool{
		"x0\n1\n2\n3\n1\n3\n2\n": false, "x0\n2\n3\n4\n3\n4\n1\n": true} {
		rows := longtest.Must(variables(t, longtest.Must(diagnose.NewTarget(toy, nil))(t), draws))(t)
		if text := strings.Join(said(rows[0].Notes), "\n"); strings.Contains(text, "give base 1") != noted {
			t.Errorf("%q: %s", draws, text)
		}
	}
}

// TestObserved: a variable that a network has observed has its observed value in every draw, and
// words of other variables are refused.
func TestObserved(t *testing.T) {
	const asia = "bif:../../../../toys/networks/testdata/asia.bif:evidence=xray=yes+dysp=yes"
	toy := longtest.Must(forms.All().Parse(asia))(t)
	target := longtest.Must(diagnose.NewTarget(toy, nil))(t)
	rows := longtest.Must(variables(t, target, "xray,bronc\nyes,yes\nyes,no\nyes,no\nyes,yes\n"))(t)
	if len(rows) != 2 || rows[0].Mean != 0 || rows[0].Truth != nil || rows[1].Mean != 0.5 ||
		rows[1].Truth == nil {
		t.Errorf("%+v", rows)
	}
	for _, draws := range []string{
		"xray,bronc\nyes,yes\nyes,maybe\nyes,no\nyes,yes\n", "xray,g\nyes,1\nyes,x\nyes,2\nyes,3\n",
		"xray,bronc\nyes,yes\nno,no\nyes,no\nyes,yes\n", "sky,bronc\nred,yes\nred,no\nblue,no\nred,yes\n"} {
		if rows, err := variables(t, target, draws); err == nil {
			t.Errorf("%q: %+v", draws, rows)
		}
	}
}

// TestCodes: numbers that count from 1, and names and values of the user's own, are read as conform
// chain reads them.
func TestCodes(t *testing.T) {
	target := longtest.Must(diagnose.NewTarget(weatherToy(t), nil))(t)
	target.Codes.Base = 1
	target.Codes.Map = map[string]string{"Regen": "rain", "ja": "yes"}
	rows := longtest.Must(variables(
		t,
		target,
		"Regen,.iter,CHAIN\nja,1,1\n1,2,1\n2,1,2\nno,2,2\nja,3,1\n1,4,1\n2,3,2\nno,4,2\n",
	))(t)
	if len(rows) != 1 || rows[0].Name != "rain" || rows[0].Chains != 2 || rows[0].Mean != 0.5 ||
		rows[0].Truth.Mean != 0.4 {
		t.Errorf("%+v", rows)
	}
	rows = longtest.Must(variables(t, target, "state\n2\n4\n6\n9\n"))(t)
	if len(rows) != 3 || rows[0].Name != "rain" || rows[0].Mean != 0.25 || rows[2].Mean != (3*20-.5)/4 {
		t.Errorf("%+v", rows)
	}
	longtest.Refuses(variables(t, target, "rain\nja\n0\n"))(t,
		"write no, yes or a number from 1 to 2 for rain",
		"counted from 0, as in Python, leave out base 1",
	)
	target.Codes.Map["ja"] = "maybe"
	longtest.Refuses(variables(t, target, "rain\nja\n1\n"))(t,
		`found "ja"; write no, yes or a number from 1 to 2 for rain; map says that it means "maybe"`)
}

// TestNotesOfVariables: notes say what cannot be diagnosed, and what draws cannot be.
func TestNotesOfVariables(t *testing.T) {
	target := longtest.Must(diagnose.NewTarget(weatherToy(t), nil))(t)
	rows := longtest.Must(variables(
		t,
		target,
		"heat,week1,rain,divergent__\n20,1,no,1\n20,0,no,0\n-0.5,1,yes,0\n3,2,no,1\n",
	))(t)
	want := []string{
		"2 of 4 transitions diverged, so the draws may miss a part of the target",
		"a single chain has only the R-hat of its halves",
		"ess_tail is empty: in the split chains all draws are on one side of the 5% or of the 95% quantile",
		"Geweke's test needs 40 draws in a chain",
		"1 of 4 draws are not among the 2 values of heat under weather, from -0.5 to 20; the exact mean " +
			"is that of these values",
	}
	if got := said(rows[0].Notes); len(rows) != 3 || !slices.Equal(got, want) {
		t.Errorf("%d rows: %q", len(rows), got)
	}
	rows = longtest.Must(variables(t, target, "heat,week1,rain\n20,1,no\n20,0,no\n-0.5,1,yes\n20,2,no\n20,2,yes\n"))(t)
	if !slices.Contains(said(rows[0].Notes),
		"draws at states that have probability zero under weather: 2, the first at state rain=yes,week1=1,heat=-0.5") {
		t.Error(said(rows[0].Notes))
	}
	rows = longtest.Must(variables(t, target, "heat,rain<=1\n20,1\n20,1\n-0.5,1\n20,1\n20,1\n"))(t)
	if rows[1].Truth != nil || !strings.HasPrefix(said(rows[1].Notes)[0],
		`no exact value: function "rain<=1" on weather: the function is constant, 1, wherever`) {
		t.Error(said(rows[1].Notes))
	}
	rows = longtest.Must(variables(t, nil, "a,still,hole\n1,5,nan\n2,5,1\n3,5,2\n1,5,3\n",
		"a,still,hole\n1,5,1\n2,5,1\n1,5,2\n1,5,3\n"))(t)
	if a := rows[0]; len(said(a.Notes)) != 1 || a.Chains != 2 || a.N != 4 || !(a.RHatRank > 0) {
		t.Errorf("%+v", a)
	}
	if still := rows[1]; said(still.Notes)[0] !=
		"all draws are 5: the variable never changes, so it cannot be diagnosed" || still.Mean != 5 ||
		!math.IsNaN(still.ESSBulk) || !math.IsNaN(still.RHatRank) || !math.IsNaN(still.MCSEMean) {
		t.Errorf("%+v", still)
	}
	if hole := rows[2]; !strings.HasPrefix(
		said(hole.Notes)[0],
		"draws are missing or not finite, so nothing can be diagnosed: ",
	) ||
		!strings.HasSuffix(said(hole.Notes)[0], "a.csv, line 2 (row 1), column hole: nan") ||
		!math.IsNaN(hole.Mean) {
		t.Errorf("%+v", hole)
	}
	rows = longtest.Must(variables(t, nil, "a\n1\n1\n1\n1\n", "a\n1\n2\n1\n1\n"))(t)
	if !slices.Contains(said(rows[0].Notes), "1 of 2 chains is constant") {
		t.Error(rows)
	}
	rows = longtest.Must(variables(t, nil, slices.Repeat([]string{"a\n1\n2\n1\n3\n"}, 5)...))(t)
	if said(rows[0].Notes)[0] !=
		"there are more chains (5) than draws in each (4); transpose the draws if this is a mistake" {
		t.Error(said(rows[0].Notes))
	}
	rows = longtest.Must(variables(t, nil, "a\n1\n2\n1\n3\n4\n3\n5\n9\n20\n90\n"))(t)
	se := longtest.Must(diagnostics.MCSEMean(diagnostics.Draws{{1, 2, 1, 3, 4, 3, 5, 9, 20, 90}}))(t)
	if math.Abs(rows[0].MCSEMean/se-1) > 1e-14 ||
		rows[0].ESSMean == rows[0].ESSBulk {
		t.Errorf("%+v, want the standard error %v", rows[0], se)
	}
}

// TestBadVariables: files that do not fit the target, and what to write.
func TestBadVariables(t *testing.T) {
	toy := weatherToy(t)
	weather := longtest.Must(diagnose.NewTarget(toy, nil))(t)
	asked := longtest.Must(diagnose.NewTarget(toy, []string{"g"}))(t)
	for _, c := range []struct {
		target  *diagnose.Target
		content string
		want    string
	}{
		{nil, "a\n1\n2\n3\n", "a.csv: found 3 draws in a chain; give at least 4"},
		{nil, "stepsize__\n1\n2\n3\n4\n",
			"a.csv: found no variable to diagnose, only stepsize__; write a column for one"},
		{weather, "rain\nyes\nmaybe\n",
			`a.csv, line 3 (row 2), column rain: found "maybe"; write no, yes or a number from 0 to 1 for ` +
				`rain; map translates other names`},
		{weather, "rain\nyes\n2\n",
			`a.csv, line 3 (row 2), column rain: found "2"; write no, yes or a number from 0 to 1 for ` +
				`rain; map translates other names; if columns are exchanged, column gives each the other's ` +
				`name, as in column x0=x1; if states are counted from 1, as in R, give base 1`},
		{weather, "week1\n3\n",
			`a.csv, line 2 (row 1), column week1: found "3"; write 1, 0, 2 for week1; map translates other names`},
		{weather, "heat\n20\nwarm\n",
			`a.csv, line 3 (row 2), column heat: found "warm"; write a number in every row; map ` +
				`translates words, column heat=none leaves the column out, and column heat=chain tells ` +
				`chains apart by it`},
		{weather, "state\n3\n12\n",
			`a.csv, line 3 (row 2), column state: found "12"; write a number from 0 to 11, or its 3 ` +
				`coordinates; map translates other names; if states are counted from 1, as in R, give base 1`},
		{weather, "a,b\n1,1\n2,1\n3,1\n4,1\n",
			"a.csv: no variable of a, b is a function of weather; write a column state, or name the " +
				"columns g, rain, week1, heat, sum; map translates other names"},
		{asked, "rain,heat\n1,20\n0,20\n1,20\n0,20\n",
			"{function} g needs the states of weather, but the files do not determine them: there is no " +
				"column week1, and none state"},
		{asked, "rain,heat,week1\n1,20,1\n0,20,1\n1,20,1\n0,3,1\n",
			"{function} g needs the states of weather, but the files do not determine them: draw 4 of " +
				"a.csv has 3 as heat, which is not a value of that axis"},
		{asked, "rain,heat,week1\n1,20,1\n0,20,nan\n1,20,1\n0,20,1\n",
			"{function} g needs the states of weather, but the files do not determine them: a.csv, line 3 " +
				"(row 2), column week1: nan"},
	} {
		_, err := variables(t, c.target, c.content)
		if err == nil || strings.NewReplacer("{function}", "", "function", "").Replace(err.Error()) !=
			strings.NewReplacer("{function}", "", "function",
				"").Replace(c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.content, err, c.want)
		}
	}
	longtest.Refuses(diagnose.NewTarget(toy, []string{"all"}))(t, "is a vector")
	longtest.Refuses(diagnose.NewTarget(toy, []string{"cold"}))(t, "it is unknown")
}

// TestSpins: spins may be written as -1 and 1; both 0 and -1 are refused.
func TestSpins(t *testing.T) {
	target := longtest.Must(diagnose.NewTarget(longtest.Must(forms.All().Parse("ising:1x2:0.3"))(t), nil))(t)
	rows := longtest.Must(variables(t, target, "x0,x1\n-1,1\n1,1\n-1,-1\n1,-1\n-1,1\n"))(t)
	if len(rows) != 2 || rows[0].Name != "x0" || rows[0].Mean != 0.4 || rows[1].Mean != 0.6 {
		t.Errorf("%+v", rows)
	}
	longtest.Refuses(variables(t, target, "x0,x1\n-1,1\n0,1\n1,1\n1,-1\n"))(t, "line 3", "or spins")
	target = longtest.Must(diagnose.NewTarget(longtest.Must(forms.All().Parse("ising:1x2:0.3"))(t), nil))(t)
	if rows := longtest.Must(variables(t, target, "state\n3\n1\n0\n2\n"))(t); len(rows) != 2 ||
		rows[0].Name != "x0" || rows[0].Mean != 0.5 {
		t.Errorf("%+v", rows)
	}
}
