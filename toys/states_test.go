package toys_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/matrices"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestStatesOfModelCheckers: rewards and labels of a model checker's files are targets on a line of states, and distributions to start from on any space of as
// many; what they are not is refused.
func TestStatesOfModelCheckers(t *testing.T) {
	dir := t.TempDir()
	c := &matrices.Chain{
		Rows:    *matrices.Sparse([]float64{0.5, 0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0}, 4),
		Labels:  []matrices.Label{{Name: "init", In: []bool{true, false, false, true}}},
		Rewards: []matrices.Reward{{Name: "p", Values: []float64{0.5, 0.25, 0, 0.25}}, {Name: "cost", Values: []float64{-1, 2, 0, 3}}},
	}
	for name, data := range map[string][]byte{"c.umb": longtest.Must(matrices.UMB(c, ""))(t), "c.lab": matrices.LabelsText(c.Labels), "p.srew": matrices.RewardText(&c.Rewards[0])} {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	infinite := math.Inf(-1)
	for text, want := range map[string][]float64{
		"prob:p.srew":     {math.Log(0.5), math.Log(0.25), infinite, math.Log(0.25)},
		"prob:p.srew#p":   {math.Log(0.5), math.Log(0.25), infinite, math.Log(0.25)},
		"prob:c.umb#p":    {math.Log(0.5), math.Log(0.25), infinite, math.Log(0.25)},
		"file:c.umb#cost": {-1, 2, 0, 3},
		"prob:c.umb#init": {0, infinite, infinite, 0},
	} {
		kind, name, _ := strings.Cut(text, ":")
		text = kind + ":" + filepath.Join(dir, name)
		toy, err := toys.Parse(text)
		if err != nil || !slices.Equal(toy.G, want) || toy.Space.String() != "4" || toy.Selector() != text {
			t.Errorf("%s: %v, %v", text, toy, err)
		}
		file, _, _ := strings.Cut(filepath.Join(dir, name), "#")
		if got := toys.FilesOf(text); len(got) != 1 || got[0] != file {
			t.Errorf("%s: files %v", text, got)
		}
	}
	square := longtest.Must(toys.Parse("random:1:0:2x2"))(t)
	for _, from := range []string{"prob:" + dir + "/c.lab#init", "prob:" + dir + "/c.umb#init"} {
		initial, err := toys.ParseInitial(context.Background(), from, square)
		if err != nil || initial.Name != from {
			t.Fatalf("%s: %v", from, err)
		}
	}
	if logf, err := toys.Probabilities().ReadOn(dir+"/c.lab#init", square); err != nil || !slices.Equal(logf, []float64{0, infinite, infinite, 0}) {
		t.Error(logf, err)
	}
	for text, want := range map[string]string{
		"prob:" + dir + "/c.lab#init": "it does not say how many states there are",
		"prob:" + dir + "/c.umb#q":    `the file has no numbers of states with the name "q"; write one behind #: cost, p, init`,
		"prob:" + dir + "/c.umb":      `with the name ""; write one behind #: cost, p, init`,
		"prob:" + dir + "/p.srew#q":   `the file has the rewards "p", and not q`,
		"prob:" + dir + "/c.umb#cost": "c.umb#cost: -1; a probability is a finite number",
	} {
		if _, err := toys.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	three := longtest.Must(toys.Parse("random:1:0:3x3"))(t)
	if _, err := toys.ParseInitial(context.Background(), "prob:"+dir+"/c.umb#p", three); err == nil || !strings.Contains(err.Error(), "there are 4 states, and the toy random:1:0:3x3 has 9") {
		t.Error(err)
	}
}
