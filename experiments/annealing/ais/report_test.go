package ais_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
	"breadboard/toys"
)

// TestAFaultIsNotHidden: of what several cases fail with a fault decides, wherever it stands.
func TestAFaultIsNotHidden(t *testing.T) {
	wrong := fmt.Errorf("a: %w", chains.NewFault(errors.New("wrong")))
	worse := chains.NewFault(errors.New("also wrong"))
	refused := errors.New("b")
	for _, c := range []struct{ first, second, want error }{
		{wrong, refused, wrong}, {refused, wrong, wrong}, {nil, wrong, wrong}, {nil, refused, refused},
		{refused, errors.New("c"), refused}, {wrong, worse, wrong},
	} {
		if got := ais.Graver(c.first, c.second); got != c.want {
			t.Errorf("of %v and %v the graver is %v", c.first, c.second, got)
		}
	}
	runs := []ais.Row{
		{Case: subject.Case{Toy: toys.Easy(), Params: subject.Setting{T: 3}.Params()}, Err: refused},
		{Case: subject.Case{Toy: toys.Hard(), Params: subject.Setting{T: 4}.Params()}, Err: wrong}}
	r := ais.Report(runs, nil)
	if r.Fault == nil || !chains.IsFault(r.Fault) ||
		!strings.HasPrefix(r.Fault.Error(), "toy hard, T = 4: a: wrong") {
		t.Errorf("the report is at fault with %v", r.Fault)
	}
	var b strings.Builder
	longtest.NoError(t, r.Tables()[0].Write(&b, table.CSV))
	if got := b.String(); strings.Count(got, ",failed,") != 2 ||
		!strings.Contains(got, "a: wrong") {
		t.Errorf("the table is\n%s", got)
	}
}
