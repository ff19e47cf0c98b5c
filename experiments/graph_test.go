package experiments_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subjective"
	"breadboard/grid/longtest"
)

// TestGraphKeys: the key of a toy on a graph has what was read, and nothing of where it stands.
func TestGraphKeys(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"e.csv": "a,b\nb,c\n", "same.csv": "# the same\n a , b\nb,c\n", "labels.csv": "a,b\nb,d\n", "joined.csv": "a,b\nb,c\nc,a\n", "order.csv": "b,c\na,b\n",
		"g.csv": "a,1\nb,2\nc,3\n", "turned.csv": "c,3\nb,2\na,1\n", "other.csv": "a,1\nb,2\nc,3.5\n", "placed.csv": "a,1,0,0\nb,2,0,1\nc,3,1,0\n", "gd.csv": "a,1\nb,2\nd,3\n",
	} {
		longtest.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	key := func(toy string) string {
		cases := longtest.Must(casetest.Selection([]int{4}, toy).Cases(context.Background()))(t)
		return cases[0].Key()
	}
	first := key("graph:e.csv:g.csv")
	if !strings.HasPrefix(first, `"graph:`) || strings.Contains(first, "csv") {
		t.Errorf("the key is %s", first)
	}
	for _, toy := range []string{"graph:same.csv:g.csv", "graph:e.csv:turned.csv", "graph:e.csv:placed.csv", "graph:./e.csv:./g.csv"} {
		if got := key(toy); got != first {
			t.Errorf("%s has the key %s, and the same numbers %s", toy, got, first)
		}
	}
	seen := map[string]string{first: "graph:e.csv:g.csv"}
	for _, toy := range []string{"graph:e.csv:other.csv", "graph:labels.csv:gd.csv", "graph:joined.csv:g.csv", "graph:order.csv:g.csv", "graph:e.csv:random:2:0", "graph:joined.csv:random:2:0"} {
		got := key(toy)
		if was, twice := seen[got]; twice {
			t.Errorf("%s and %s have one key", toy, was)
		}
		seen[got] = toy
	}
	if got := key("graph:hypercube:2:random:2:0"); !strings.HasPrefix(got, `"graph:hypercube:2:random:2:0" `) {
		t.Errorf("without files the key is %s", got)
	}
}

// TestReferenceByLabel: a point is named by its label on a graph, also where that is a number, and by number on a grid.
func TestReferenceByLabel(t *testing.T) {
	t.Chdir(t.TempDir())
	longtest.NoError(t, os.WriteFile("e.csv", []byte("2,1\n1,0\n"), 0o644))
	for toy, want := range map[string]int{"graph:e.csv:random:1:0": 2, "random:1:0:3": 0} {
		cases := longtest.Must(casetest.Selection([]int{4}, toy).Cases(context.Background()))(t)
		law, err := subjective.ParseReference("point:0", &cases[0])
		if err != nil || law[want] != 1 {
			t.Errorf("%s: point:0 is %v, %v", toy, law, err)
		}
	}
}
