package network_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/networks/network"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

const files = "../../../toys/networks/testdata/"

// answered returns the rows of a network.
func answered(t testing.TB, check bool, file, evidence, hide string) []network.Row {
	t.Helper()
	q := longtest.Sure(network.Ask(files+file, evidence, hide))
	return longtest.Sure(study.Run(context.Background(), network.Study(), []network.Question{q}, network.Options{Check: check}, study.How{}))
}

// TestRows: a row for each value of each variable that is not hidden, with certainty for what has been observed, and the enumeration agrees.
func TestRows(t *testing.T) {
	rows := answered(t, true, "asia.bif", "xray=yes+dysp=yes", "either+tub")
	want := "asia yes, asia no, smoke yes, smoke no, lung yes, lung no, bronc yes, bronc no, xray yes, xray no, dysp yes, dysp no"
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

// TestAllHidden: where every variable is hidden, one row is left, which has log Z and no variable.
func TestAllHidden(t *testing.T) {
	rows := answered(t, false, "asia.uai", "", "0+1+2+3+4+5+6+7")
	if len(rows) != 1 || rows[0].Variable >= 0 || math.Abs(rows[0].Posterior.LogZ) > 1e-15 {
		t.Fatalf("rows %+v", rows)
	}
	for _, c := range network.Columns() {
		cell := c.Of(&rows[0])
		if whole := c.Name == "network" || c.Name == "width" || c.Name == "log_z" || c.Title == "log Z"; whole != (cell != nil) {
			t.Errorf("%s%s: %v", c.Name, c.Title, cell)
		}
	}
}

// TestCheck: an elimination that is wrong by more than 1e-12 does not agree with the enumeration, and where there are too many states the answer
// says why there is none.
func TestCheck(t *testing.T) {
	for _, change := range []func(q *network.Question){
		func(q *network.Question) { q.Posterior.Marginals[2][1] += 1e-11 },
		func(q *network.Question) { q.Posterior.LogZ -= 1e-11 },
		func(*network.Question) {},
	} {
		q := longtest.Sure(network.Ask(files+"grid33.uai", "x4=1", ""))
		before := fmt.Sprint(q.Posterior)
		change(&q)
		rows := longtest.Sure(study.Run(context.Background(), network.Study(), []network.Question{q}, network.Options{Check: true}, study.How{}))
		if right := before == fmt.Sprint(q.Posterior); rows[0].Check.Agrees() != right {
			t.Errorf("agrees with %v: %v", q.Posterior, !right)
		}
	}
	rows := answered(t, true, "clinic37.bif", "", "")
	if r := rows[0]; r.Check != nil || r.Unchecked == nil || !strings.Contains(r.Unchecked.Error(), "can be enumerated") || r.Lack != nil {
		t.Errorf("%v, %v", r.Check, r.Unchecked)
	}
}

// TestAskRefuses: evidence that cannot be, and names that are not there, are bad input.
func TestAskRefuses(t *testing.T) {
	for evidence, want := range map[string]string{
		"either=no+tub=yes": "the table of either given tub, lung is zero at tub=yes, either=no",
		"xray=maybe":        `unknown value of xray "maybe"; choices: yes, no`,
		"xra=yes":           `unknown variable "xra"; did you mean xray?`,
		"xray=yes+xray=no":  "xray is observed twice",
	} {
		longtest.Refuses(network.Ask(files+"asia.bif", evidence, ""))(t, want, evidence)
	}
}

// The probability that somebody with a positive X-ray and shortness of breath has a lung cancer, in the network of Lauritzen and Spiegelhalter
// 1988.
func Example() {
	q, err := network.Ask(files+"asia.bif", "xray=yes+dysp=yes", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(context.Background(), network.Study(), []network.Question{q}, network.Options{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		if variable := r.Variables[r.Variable]; variable.Name == "lung" {
			fmt.Printf("%s %s: %.4f before, %.4f given the evidence\n", variable.Name, variable.Labels[r.Value], r.Prior.Marginals[r.Variable][r.Value], r.Probability())
		}
	}
	fmt.Printf("log p(evidence) = %.6f\n", q.Posterior.LogZ)
	// Output:
	// lung yes: 0.0550 before, 0.6213 given the evidence
	// lung no: 0.9450 before, 0.3787 given the evidence
	// log p(evidence) = -2.649733
}
