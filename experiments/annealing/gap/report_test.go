package gap_test

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"testing"

	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// TestGapRows: over the rows of an annealing forward and reverse sum to the two halves of B.
func TestGapRows(t *testing.T) {
	g := casetest.Rows(t, gap.Study(), casetest.MustCases(t, casetest.Selection([]int{100}, "barrier")),
		study.NoOptions{})
	var b bytes.Buffer
	longtest.NoError(t, gap.StageTable(g).Write(&b, table.CSV))
	records := longtest.Must(csv.NewReader(&b).ReadAll())(t)
	forward, reverse := 0.0, 0.0
	for i, r := range records[1:] {
		kind := "stage"
		stage := i + 2
		if i == 99 {
			kind = "final"
			stage = 100
		}
		if r[6] != kind || r[7] != strconv.Itoa(stage) {
			t.Errorf("row %d is %v", i, r)
		}
		f, _ := strconv.ParseFloat(r[9], 64)
		v, _ := strconv.ParseFloat(r[10], 64)
		forward, reverse = forward+f, reverse+v
	}
	wantForward, wantReverse := g[0].Sums()
	if len(records) != 101 || !near(forward, wantForward) || !near(reverse, wantReverse) {
		t.Errorf("%d records, sums %v and %v, want %v and %v", len(records), forward, reverse, wantForward,
			wantReverse)
	}
}

func near(a, b float64) bool { return a-b < 1e-14 && b-a < 1e-14 }
