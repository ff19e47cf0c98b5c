package networks_test

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// answer is what inference says of a query: log Z, and the marginal distributions by variable and
// value.
type answer struct {
	logZ      float64
	marginals map[string]map[string]float64
}

// references returns the queries of testdata/inference.csv and their answers, in the order of the
// file. They were computed in 24 digits by elimination in fractions and by enumeration, which agree
// to 5e-18, in a program that shares nothing with this one.
func references(tb testing.TB) (selectors []string, answers map[string]answer) {
	tb.Helper()
	rows := longtest.Sure(csv.NewReader(
		strings.NewReader(string(longtest.Sure(os.ReadFile("testdata/inference.csv")))),
	).ReadAll())
	answers = map[string]answer{}
	for _, row := range rows[1:] {
		selector := row[0][strings.LastIndexByte(row[0], '.')+1:] + ":testdata/" + row[0]
		if row[1] != "" {
			selector += ":evidence=" + row[1]
		}
		v := longtest.Sure(strconv.ParseFloat(row[4], 64))
		if row[2] == "" {
			selectors = append(selectors, selector)
			answers[selector] = answer{v, map[string]map[string]float64{}}
			continue
		}
		m := answers[selector].marginals
		if m[row[2]] == nil {
			m[row[2]] = map[string]float64{}
		}
		m[row[2]][row[3]] = v
	}
	return selectors, answers
}

// agree fails if two numbers differ by more than 1e-12, relative to the larger if that is above
// one.
func agree(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got != want && !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
		t.Errorf("%s is %.17g, and should be %.17g", what, got, want)
	}
}

// enumerate returns the answer from all states of the target of a query.
func enumerate(q *networks.Query) (answer, error) {
	target, err := q.EnumerateTarget()
	if err != nil {
		return answer{}, err
	}
	logf := target.LogF
	if m := target.Model; m != nil {
		logf = m.LogLikelihood(1)
		for x, p := range m.LogPrior() {
			logf[x] += p
		}
	}
	a := answer{number.LogTotal(logf), map[string]map[string]float64{}}
	for i, axis := range target.Axes {
		a.marginals[axis.Name] = map[string]float64{}
		for value, label := range axis.Labels {
			var with []float64
			for x, v := range logf {
				if target.Space.Coord(x, i) == value {
					with = append(with, v)
				}
			}
			a.marginals[axis.Name][label] = math.Exp(number.LogTotal(with) - a.logZ)
		}
	}
	return a, nil
}

// eliminate returns the answer of variable elimination.
func eliminate(q *networks.Query) (answer, error) {
	found, err := q.Infer(context.Background(), networks.Outputs{Marginals: true})
	if err != nil {
		return answer{}, err
	}
	a := answer{found.LogZ, map[string]map[string]float64{}}
	for _, v := range q.Free() {
		a.marginals[q.Variables[v].Name] = map[string]float64{}
		for value, label := range q.Variables[v].Labels {
			a.marginals[q.Variables[v].Name][label] = found.Marginals[v][value]
		}
	}
	return a, nil
}

// compare fails if answers differ.
func compare(t *testing.T, what string, got, want answer) {
	t.Helper()
	agree(t, what+": log Z", got.logZ, want.logZ)
	if len(got.marginals) != len(want.marginals) {
		t.Errorf("%s: %d marginals, and should be %d", what, len(got.marginals), len(want.marginals))
	}
	for name, values := range want.marginals {
		for label, p := range values {
			agree(t, what+": "+name+"="+label, got.marginals[name][label], p)
		}
	}
}

// TestTargets: log Z and the marginals are the reference's, by elimination and by enumeration.
func TestTargets(t *testing.T) {
	selectors, answers := references(t)
	if len(selectors) != 16 {
		t.Errorf("%d queries", len(selectors))
	}
	for _, selector := range selectors {
		q := longtest.Must(parse(selector))(t)
		want := answers[selector]
		enumerated, err := enumerate(q)
		if math.IsInf(want.logZ, -1) {
			longtest.Refused(t, err, "the evidence is impossible")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		compare(t, selector+", enumerated", enumerated, want)
		compare(t, selector+", eliminated", longtest.Sure(eliminate(q)), want)
	}
}

// TestTableWithoutVariables: a table without variables that is zero has a message in words.
func TestTableWithoutVariables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "z.uai")
	longtest.NoError(t, os.WriteFile(path, []byte("MARKOV\n1\n2\n2\n1 0\n0\n\n2\n 0.5 0.5\n1\n 0\n"), 0o666))
	q, _, err := networks.Open(path, "", "")
	longtest.NoError(t, err)
	_, err = q.Infer(context.Background(), networks.Outputs{})
	longtest.Refused(t, err, "table 2, which has no variables and one entry, is zero, and with it the target")
}

// TestSameBytes: the same network as BIF and as UAI has the same numbers, to the last bit, with any
// evidence and any variables hidden.
func TestSameBytes(t *testing.T) {
	for bif, uai := range map[string]string{
		"": "", ":evidence=xray=yes+dysp=yes": ":evidence=auto",
		":evidence=dysp=yes+xray=yes:hide=either": ":evidence=6=0+7=0:hide=5",
		":evidence=lung=no:keep=asia+dysp":        ":evidence=x3=1:keep=0+7",
		":evidence=testdata/asia.txt":             ":evidence=testdata/asia2008.evid",
	} {
		a, b := longtest.Sure(longtest.Sure(parse("bif:testdata/asia.bif"+bif)).EnumerateTarget()),
			longtest.Sure(longtest.Sure(parse("uai:testdata/asia.uai"+uai)).EnumerateTarget())
		if !slices.Equal(a.Model.LogPrior(), b.Model.LogPrior()) ||
			!slices.Equal(a.Model.LogLikelihood(1), b.Model.LogLikelihood(1)) ||
			a.Space.String() != b.Space.String() {
			t.Errorf("bif%s and uai%s differ", bif, uai)
		}
	}
}
