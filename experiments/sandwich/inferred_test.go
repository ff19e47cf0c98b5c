package sandwich

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/ais"
	"breadboard/grid/longtest"
)

// inferredEvidence estimates log p(y) of data under a model with unknown hyperparameters.
func inferredEvidence(t *testing.T, m Model, y [][]float64) float64 {
	t.Helper()
	anneal := longtest.Must(m.Infer(y))(t)
	var logs []float64
	for i := range 8 {
		e := longtest.Must(anneal.Run(context.Background(), chains.NewSampler(simulate.NewStream(1, "inferred "+m.Name, i)), 300, chains.Forward))(t)
		logs = append(logs, e.LogZ)
	}
	return ais.LogMeanExp(logs, 1).Value
}

// TestInferFollowsTheScale: a model with unknown variances explains data in other units nearly as well. With the factor c, log p(y) changes
// by -N D log c and by what the prior of the variances says, some nats. A model with known variances loses the squares of the data, which
// is some fifty thousand nats here.
func TestInferFollowsTheScale(t *testing.T) {
	longtest.NotShort(t)
	const scale = 30.0
	for _, name := range []string{"clustering:2", "lowrank:2", "binary:2"} {
		m := mustModel(t, name)
		data := mustDraw(t, Set{Model: m, Rows: 10, Columns: 5, Number: 1, Seed: 1})
		scaled := make([][]float64, len(data.Rows))
		for i, row := range data.Rows {
			for _, v := range row {
				scaled[i] = append(scaled[i], scale*v)
			}
		}
		change := inferredEvidence(t, m, scaled) - inferredEvidence(t, m, data.Rows) + 50*math.Log(scale)
		if math.Abs(change) > 40 {
			t.Errorf("%s: log p(y) changes by %v more than the units", name, change)
		}
	}
}

// TestInferRefuses: what the models themselves refuse, and a model of another kind.
func TestInferRefuses(t *testing.T) {
	m := mustModel(t, "lowrank:3")
	if _, err := m.Infer([][]float64{{1, 2, 3}, {4, 5, 6}}); err == nil || !strings.Contains(err.Error(), "3 components") {
		t.Errorf("error %v", err)
	}
	if _, err := (Model{Name: "tree:3", Kind: "tree"}).Infer(nil); err == nil || !strings.Contains(err.Error(), "tree:3") {
		t.Errorf("error %v", err)
	}
}
