package programs

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// teller is a program that tells the choices of the Metropolis kernel of these tests ahead, of
// three states in one message.
type teller struct {
	kind   string
	stages [][]*float64
}

// answers answers a line that is about telling ahead, and returns false for any other.
func (f *teller) answers(line []byte, say func(any)) bool {
	var message struct {
		Stages [][]*float64
		Tell   []int
		ID     int
	}
	if err := json.Unmarshal(line, &message); err != nil {
		panic(err)
	}
	switch {
	case message.Stages != nil:
		f.stages = message.Stages
		say(map[string]any{"ready": true, "id": message.ID})
		return true
	case message.Tell == nil:
		return false
	}
	answer := map[string]any{"told": 3, "id": message.ID}
	var trees []any
	for at := message.Tell[0]*4 + message.Tell[1]; at < 4*len(f.stages) && len(trees) < 3; at++ {
		tree, p := metropolisTree(f.stages[at/4], at%4)
		trees = append(
			trees,
			map[string]any{"from": at % 4, "stages": []int{at / 4}, "tree": tree, "p": [][]float64{p}},
		)
	}
	answer["trees"], answer["told"] = trees, len(trees)
	if f.kind == "ahead-nothing" {
		answer["trees"] = []any{}
	}
	for field, value := range wrongAnswers()[f.kind].fields {
		answer[field] = json.RawMessage(value)
	}
	say(answer)
	return true
}

// metropolisTree is the tree of what moved does.
func metropolisTree(logf []*float64, x int) (tree []any, p []float64) {
	tree = []any{map[string]int{"uniform": 4}}
	for u := range 4 {
		y := []int{x ^ 2, x ^ 1}[u/2]
		tree, p = append(tree, map[string]int{"choose": 2}), append(p, 0.5, 0.5)
		switch accept := 0.0; {
		case logf[y] == nil:
			tree = append(tree, map[string]int{"state": x})
		case logf[x] == nil:
			tree = append(tree, map[string]int{"state": y})
		default:
			accept = math.Exp(min(0, *logf[y]-*logf[x]))
			tree, p = append(tree, map[string]bool{"flip": true}), append(p, accept)
			if stay := any(map[string]int{"state": x}); accept < 1 {
				tree = append(tree, stay)
			} else {
				tree = append(tree, nil)
			}
			tree = append(tree, map[string]int{"state": y})
		}
		tree = append(tree, map[string]int{"state": x})
	}
	return tree, p
}

type wrongAnswer struct {
	fields map[string]string
	want   string
}

// wrongAnswers are answers that are refused, by their fields that are wrong.
func wrongAnswers() map[string]wrongAnswer {
	of := func(tree, p, want string) wrongAnswer {
		return wrongAnswer{
			map[string]string{"trees": `[{"from":0,"stages":[0],"tree":` + tree + `,"p":[` + p + `]}]`}, want}
	}
	return map[string]wrongAnswer{
		"ahead-id":    {map[string]string{"id": "77"}, "with id 77"},
		"ahead-none":  {map[string]string{"told": "0"}, "it sent 0 states"},
		"ahead-many":  {map[string]string{"told": "13"}, "it sent 13 states instead of 1 to 12"},
		"ahead-field": {map[string]string{"tree": "[]"}, `unknown field "tree"`},
		"ahead-elsewhere": {
			map[string]string{"trees": `[{"from":3,"stages":[2],"tree":[{"state":0}],"p":[[]]}]`},
			"it sent state 3 at stage 2, which was not requested"},
		"ahead-twice": {map[string]string{
			"trees": `[{"from":1,"stages":[0,0],"tree":[{"state":0}],"p":[[],[]]}]`}, "or sent it twice"},
		"ahead-negative": {map[string]string{
			"trees": `[{"from":-1,"stages":[1],"tree":[{"state":0}],"p":[[]]}]`}, "it sent state -1"},
		"ahead-stages": {
			map[string]string{"trees": `[{"from":0,"stages":[0],"tree":[{"state":0}],"p":[]}]`},
			"probabilities of 0 stages instead of 1"},
		"ahead-empty":      of(`[]`, `[]`, "it ends before"),
		"ahead-impossible": of(`[null]`, `[]`, "it ends before"),
		"ahead-short":      of(`[{"uniform":3},{"state":0},{"state":1}]`, `[]`, "it ends before"),
		"ahead-long":       of(`[{"state":0},{"state":1}]`, `[]`, "it continues after its end"),
		"ahead-large":      of(`[{"uniform":100000}]`, `[]`, "it ends before"),
		"ahead-zero":       of(`[{"choose":0}]`, `[]`, "a choice of 0 outcomes"),
		"ahead-two":        of(`[{"uniform":1,"flip":true},{"state":0}]`, `[]`, "one of choose, flip, uniform and state"),
		"ahead-few": of(`[{"flip":true},{"state":0},{"state":1}]`, `[]`,
			"it has 0 probabilities, but its choices need 1"),
		"ahead-possible": of(`[{"flip":true},null,{"state":1}]`,
			`[0.5]`, "it omits the possible outcome 0 of a choice"),
		"ahead-left":    of(`[{"uniform":2},null,{"state":1}]`, `[]`, "it omits the possible outcome 0"),
		"ahead-outside": of(`[{"state":4}]`, `[]`, "Move went to state 4, outside 0..3"),
		"ahead-flip":    of(`[{"flip":true},{"state":0},{"state":1}]`, `[1.5]`, "Flip(1.5)"),
		"ahead-sum":     of(`[{"choose":2},{"state":0},{"state":1}]`, `[0.5,0.4]`, "sum to 0.9"),
		"ahead-changed": of(`[{"changed":true}]`,
			`[]`, "a move from state 0 made different choices when it was run again"),
	}
}

// foreseen starts a program on a 2x2 grid, and tells it of three distributions to come.
func foreseen(t *testing.T, kind string) (*Program, [][]float64) {
	t.Helper()
	programs := NewPrograms(context.Background(), longtest.Patience)
	t.Cleanup(programs.Close)
	k := longtest.Must(programs.StartKernel(os.Args[0]+" program "+kind, grid.MustNew(2, 2)))(t)
	stages := [][]float64{{0, 0, 0, 0}, {0, 1, math.Inf(-1), 0.5}, {0, 2, -700, 2}}
	k.Foresee(slices.Values(stages))
	return k, stages
}

// TestTellsAhead: rows are those of the moves bit for bit, in whatever order the distributions
// come, and also if the program tells of none.
func TestTellsAhead(t *testing.T) {
	plain, _ := foreseen(t, "good")
	for _, kind := range []string{"ahead", "ahead-nothing"} {
		k, stages := foreseen(t, kind)
		for _, at := range []int{2, 0, 1, 1} {
			for x := range 4 {
				got, _, err := kernel.Row(t.Context(), k, stages[at], x)
				longtest.NoError(t, err)
				want, _, err := kernel.Row(t.Context(), plain, stages[at], x)
				longtest.NoError(t, err)
				if !slices.Equal(got, want) {
					t.Errorf("%s, stage %d, state %d: %v, want %v", kind, at, x, got, want)
				}
			}
		}
		if told := k.meter.choices > 0 && k.id == 6; told != (kind == "ahead") {
			// a distribution, all of them, and four messages of three states
			t.Errorf("%s: %d requests", kind, k.id)
		}
		if y := k.Move(chains.NewSampler(rand.NewPCG(1, 1)), []float64{5, 0, 0, 0}, 0); y < 0 || y > 3 {
			// a distribution that was not foreseen
			t.Errorf("%s: state %d", kind, y)
		}
	}
}

// TestTellsWrong: what is wrong is an error that names the program or the state, and never a row.
func TestTellsWrong(t *testing.T) {
	for kind, wrong := range wrongAnswers() {
		if !longtest.Enabled() && !slices.Contains([]string{"ahead-twice", "ahead-changed"}, kind) {
			continue // each is another process
		}
		k, stages := foreseen(t, kind)
		_, _, err := kernel.Row(t.Context(), k, stages[0], 0)
		longtest.Refused(t, err, wrong.want, kind)
	}
}

// TestManyProbabilities: what is kept of what a program tells is bounded, by the distributions that
// it has not come to.
func TestManyProbabilities(t *testing.T) {
	k, stages := foreseen(t, "ahead")
	k.ahead.probabilities = aheadProbabilities
	for _, logf := range stages {
		for x := range 4 {
			got, _, err := kernel.Row(t.Context(), k, logf, x)
			longtest.NoError(t, err)
			if len(got) == 0 {
				t.Error("no row")
			}
		}
	}
	if len(k.ahead.distributions) != 1 || k.ahead.failures != aheadFailures {
		t.Errorf("%d distributions are kept", len(k.ahead.distributions))
	}
}
