package network_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/experiments/networks/network"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/networks"
)

const networkFiles = "../../../toys/networks/testdata/"

// answered returns the rows of a network.
func answered(t testing.TB, check bool, file, evidence, hide string) []network.Row {
	t.Helper()
	q := longtest.Sure(forms.All().Factored(networkFiles+file, evidence, hide))
	return longtest.Sure(study.Run(context.Background(), network.Study(), []toys.Product{q},
		network.Options{Check: check}, study.How{}))
}

// TestRows: a row for each value of each variable that is not hidden, with certainty for what has
// been observed, and the enumeration agrees.
func TestRows(t *testing.T) {
	rows := answered(t, true, "asia.bif", "xray=yes+dysp=yes", "either+tub")
	want := "asia yes, asia no, smoke yes, smoke no, lung yes, lung no, bronc yes, bronc no, xray yes, " +
		"xray no, dysp yes, dysp no"
	var got []string
	sums := map[int]float64{}
	for i := range rows {
		r := &rows[i]
		got = append(got, r.Variables[r.Variable].Name+" "+r.Variables[r.Variable].Labels[r.Value])
		sums[r.Variable] += r.Probability()
		if observed := r.Variable >= 6; observed && r.Probability() != float64(1-r.Value) {
			t.Errorf("%s, which was observed, has the probability %v", got[i], r.Probability())
		}
	}
	if strings.Join(got, ", ") != want {
		t.Errorf("rows %v, want %s", got, want)
	}
	for v, sum := range sums {
		if math.Abs(sum-1) > 1e-15 {
			t.Errorf("the probabilities of variable %d sum to %v", v, sum)
		}
	}
	if c := rows[0].Check; !c.Agrees() || c.States != 16 || c.Marginals[5] != nil || c.Marginals[7] != nil {
		t.Errorf("check %+v", c)
	}
}

// TestAllHidden: if every variable is hidden, one row is left, which has log Z and no variable.
func TestAllHidden(t *testing.T) {
	rows := answered(t, false, "asia.uai", "", "0+1+2+3+4+5+6+7")
	if len(rows) != 1 || rows[0].Variable >= 0 || math.Abs(rows[0].Posterior.LogZ) > 1e-15 {
		t.Fatalf("rows %+v", rows)
	}
	for _, c := range network.Columns() {
		cell := c.Of(&rows[0])
		if whole := c.Name == "network" || c.Name == "width" || c.Name == "log_z" ||
			c.Title == "log Z"; whole != (cell != nil) {
			t.Errorf("%s%s: %v", c.Name, c.Title, cell)
		}
	}
}

// TestCheck: an elimination that is wrong by more than 1e-12 does not agree with the enumeration,
// and if there are too many states the answer says why there is none.
func TestCheck(t *testing.T) {
	for _, change := range []func(found *networks.Inference){
		func(found *networks.Inference) { found.Marginals[2][1] += 1e-11 },
		func(found *networks.Inference) { found.LogZ -= 1e-11 },
		func(*networks.Inference) {},
	} {
		r := answered(t, true, "grid33.uai", "x4=1", "")[0]
		before := fmt.Sprint(r.Posterior)
		change(r.Posterior)
		r.Check.Compare(r.Posterior)
		if right := before == fmt.Sprint(r.Posterior); r.Check.Agrees() != right {
			t.Errorf("agrees with %v: %v", r.Posterior, !right)
		}
	}
	rows := answered(t, true, "clinic37.bif", "", "")
	if r := rows[0]; r.Check != nil || r.Unchecked == nil ||
		!strings.Contains(r.Unchecked.Error(), "can be enumerated") || r.Lack != nil {
		t.Errorf("%v, %v", r.Check, r.Unchecked)
	}
}

// TestWhatIsAsked: log Z alone makes no distributions, and whatever else is asked for beside it,
// the numbers are the same to the last bit. A pair, and a state that was drawn, have the labels of
// their variables, and none of those that are observed or hidden.
func TestWhatIsAsked(t *testing.T) {
	q := longtest.Sure(forms.All().Factored("ising:4x3:0.7:0.2", "x5=1", "x0"))
	ask := func(o network.Options, wanted ...string) []network.Row {
		return longtest.Sure(study.Run(
			context.Background(),
			network.Study(),
			[]toys.Product{q},
			o,
			study.How{Columns: wanted},
		))
	}
	if rows := ask(network.Options{}, "log_z", "width"); len(rows) != 1 || rows[0].Variable >= 0 {
		t.Errorf("%d rows where no column is about a variable", len(rows))
	}
	alone := ask(network.Options{}, "log_z", "variable")[0]
	all := ask(network.Options{Check: true, Pairs: true, Best: true, Samples: 2, Seed: 3})
	r := &all[0]
	if alone.Posterior.Marginals != nil || alone.Prior != nil || alone.Posterior.LogZ != r.Posterior.LogZ ||
		!r.Check.Agrees() || len(all) != 2*11 {
		t.Errorf("log Z is %v alone, and %v with the rest; %d rows", alone.Posterior.LogZ,
			r.Posterior.LogZ, len(all))
	}
	if !math.IsNaN(alone.Probability()) {
		t.Errorf("a probability that was not asked for is %v", alone.Probability())
	}
	pairs := r.Pairs()
	sum := 0.0
	for i := range pairs {
		p := &pairs[i]
		if p.A == 5 || p.B == 5 || p.A == 0 {
			t.Errorf("a pair of %d and %d, of which one is observed or hidden", p.A, p.B)
		}
		if p.A == 1 && p.B == 2 && p.ValueA == 1 {
			sum += p.Probability()
		}
		if c := p.Correlation(); (c > 0) != (p.ValueA == p.ValueB) || c > 1 || c < -1 {
			t.Errorf("the correlation of %+v is %v", *p, c)
		}
	}
	if want := r.Posterior.Marginals[1][1]; len(pairs) != 4*(17-2-3) || math.Abs(sum-want) > 1e-14 {
		t.Errorf("%d rows of pairs; that x1 is 1 has the probability %v, and by a pair %v", len(pairs), want, sum)
	}
	for i := range all {
		if all[i].Likeliest() != (all[i].Value == 1) {
			t.Errorf("the most probable state has not all spins up: %+v", all[i])
		}
	}
	var text strings.Builder
	longtest.NoError(t, r.WriteSamples(&text))
	if lines := strings.Split(text.String(), "\n"); len(lines) != 4 ||
		lines[0] != "x1,x2,x3,x4,x6,x7,x8,x9,x10,x11" || len(lines[1]) != 19 {
		t.Errorf("samples %q", text.String())
	}
}

// TestAskRefuses: evidence that cannot be, and names that are not there, are bad input.
func TestAskRefuses(t *testing.T) {
	for evidence, want := range map[string]string{
		"xray=maybe":       `unknown value of xray "maybe"; choices: yes, no`,
		"xra=yes":          `unknown variable "xra"; did you mean xray?`,
		"xray=yes+xray=no": "xray is observed twice",
	} {
		longtest.Refuses(forms.All().Factored(networkFiles+"asia.bif", evidence, ""))(t, want, evidence)
	}
	for _, c := range []struct {
		file, evidence, want string
		memory               float64
	}{
		{networkFiles + "asia.bif", "either=no+tub=yes",
			"the table of either given tub, lung is zero at tub=yes, either=no", 0},
		{"ising:12x12:0.4", "", "or give columns log_z, which takes", 64.3e6},
		{networkFiles + "asia.bif", "", "the program alone takes 64 MB; give more", 1e6},
		{"ising:40x40:0.4", "", "elimination has width 40 and would take", 0},
	} {
		if c.file == "ising:40x40:0.4" && !longtest.Enabled() {
			continue // its order of elimination takes most of the time
		}
		q := longtest.Sure(forms.All().Factored(c.file, c.evidence, ""))
		_, err := study.Run(context.Background(), network.Study(), []toys.Product{q},
			network.Options{Memory: c.memory}, study.How{})
		longtest.Refused(t, err, c.want, c.file)
	}
}

// The probability that a patient with a positive X-ray and shortness of breath has a lung cancer,
// in the network of Lauritzen and Spiegelhalter 1988.
func Example_network() {
	q, err := forms.All().Factored(networkFiles+"asia.bif", "xray=yes+dysp=yes", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(context.Background(), network.Study(), []toys.Product{q}, network.Options{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		if variable := r.Variables[r.Variable]; variable.Name == "lung" {
			fmt.Printf("%s %s: %.4f before, %.4f given the evidence\n", variable.Name,
				variable.Labels[r.Value], r.Prior.Marginals[r.Variable][r.Value], r.Probability())
		}
	}
	fmt.Printf("log p(evidence) = %.6f\n", rows[0].Posterior.LogZ)
	// Output:
	// lung yes: 0.0550 before, 0.6213 given the evidence
	// lung no: 0.9450 before, 0.3787 given the evidence
	// log p(evidence) = -2.649733
}
