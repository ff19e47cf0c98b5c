package conform_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/exact"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// extended reads a number of JSON, or the text of an infinity.
type extended float64

func (n *extended) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"-Inf"`:
		*n = extended(math.Inf(-1))
		return nil
	case `"+Inf"`:
		*n = extended(math.Inf(1))
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

type workedChoice struct {
	Kind        string
	P           []float64
	N, Outcome  int
	Probability float64
}

type workedChain struct {
	Direction string
	Choice    workedChoice
	XFirst    int      `json:"x_first"`
	XLast     int      `json:"x_last"`
	LogW      extended `json:"log_w"`
	LeftOut   int      `json:"stages_left_out"`
	Steps     []struct {
		Stage     int
		Before    int `json:"state_before"`
		After     int `json:"state_after"`
		Weighed   int `json:"weighed_at"`
		Increment extended
		LogW      extended `json:"log_w"`
		Choices   []workedChoice
	}
}

// TestTheExampleAddsUp: the outcomes lead to the same states, and the increments add up to the same
// weights, in every case.
func TestTheExampleAddsUp(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/g.csv", "1,0.5,-inf\n-inf,2,0\n0,0,300\n")
	writeFile(t, dir+"/start.csv", "1,-inf,0\n0,2,0\n0,0,1\n")
	rapid.Check(t, func(r *rapid.T) {
		s := selection(rapid.SampledFrom([]string{
			"easy", "barrier:3x3", "file:" + dir + "/g.csv", "graph:cycle:5:random:1:1"}).Draw(r, "toy"),
			rapid.IntRange(2, 8).Draw(r, "T"))
		kernels := []string{"metropolis", "barker", "jump:0.5", "independence", "lazy:0.5"}
		if s.Toys[0][0] != 'g' {
			kernels = append(kernels, "heatbath-scan", "suwa-todo", "compose:suwa-todo-axis:0+metropolis")
		}
		s.Kernel = rapid.SampledFrom(kernels).Draw(r, "kernel")
		s.Path = rapid.SampledFrom([]string{"geometric", "arithmetic"}).Draw(r, "path")
		if strings.HasPrefix(s.Toys[0], "file:") && rapid.Bool().Draw(r, "start") {
			s.Initial = "file:" + dir + "/start.csv"
		}
		checkExample(t, mustNew(t, s))
	})
}

func checkExample(t *testing.T, made *conform.Task) {
	t.Helper()
	var e struct{ Forward, Reverse workedChain }
	longtest.NoError(t, json.Unmarshal(contents(t, made)["example.json"], &e))
	a := longtest.Must(exact.WithReversal(context.Background(), made.Case.Annealing()))(t)
	T := a.Distributions()
	logf := make([][]float64, T+1)
	for stage := 1; stage <= T; stage++ {
		logf[stage] = make([]float64, a.States())
		a.LogF(logf[stage], stage)
	}
	for _, chain := range []workedChain{e.Forward, e.Reverse} {
		forward := chain.Direction == "forward"
		x := chain.XFirst
		law := slices.Clone(logf[1])
		end := chain.XLast
		if !forward {
			x, law, end = chain.XLast, slices.Clone(logf[T]), chain.XFirst
		}
		chains.Normalize(law)
		if chain.Choice.Outcome != x || math.Abs(chain.Choice.Probability-law[x]) > 1e-12 ||
			len(chain.Steps) != T-1 {
			t.Fatalf("starts by %+v at %d, of probability %v, and makes %d steps", chain.Choice, x, law[x],
				len(chain.Steps))
		}
		total := 0.0
		for i, s := range chain.Steps {
			stage := i + 2
			weighed := s.Before
			k := a.KernelAt(i + 2)
			if !forward {
				stage, weighed, k = T-i, s.After, longtest.Must(a.ReversalAt(T-i))(t)
			}
			var outcomes []int
			logP := 0.0
			for _, c := range s.Choices {
				outcomes = append(outcomes, c.Outcome)
				logP += math.Log(c.Probability)
			}
			replay := &chainstest.Given{Outcomes: outcomes}
			y := k.Move(replay, logf[stage], x)
			want := replay.LogP
			if y != s.After || math.Abs(want-logP) > 1e-9 || s.Stage != stage || s.Before != x ||
				s.Weighed != weighed {
				t.Errorf("%s, stage %d: %+v; the choices lead from %d to %d with log probability %v",
					chain.Direction, stage, s, x, y, want)
			}
			increment := logf[stage][weighed] - logf[stage-1][weighed]
			off := math.Abs(float64(s.Increment) - increment)
			if !math.IsInf(total, 0) && float64(s.Increment) != increment && !(off <= 1e-12) {
				// an infinite weight stays
				t.Errorf("%s, stage %d: increment %v, want %v", chain.Direction, stage, s.Increment, increment)
			}
			total += float64(s.Increment)
			if float64(s.LogW) != total {
				t.Errorf("%s, stage %d: log w %v, want %v", chain.Direction, stage, s.LogW, total)
			}
			x = s.After
		}
		if x != end || float64(chain.LogW) != total {
			t.Errorf("%s: ends at %d with %v, and says %d and %v", chain.Direction, x, total, end, chain.LogW)
		}
	}
}

// TestLongExample: of many stages the first and the last are listed.
func TestLongExample(t *testing.T) {
	var e struct{ Forward, Reverse workedChain }
	longtest.NoError(t, json.Unmarshal(contents(t, mustNew(t, selection("barrier:3x3", 2000)))["example.json"], &e))
	for _, chain := range []workedChain{e.Forward, e.Reverse} {
		if len(chain.Steps) != 20 || chain.LeftOut != 1979 || math.Abs(float64(chain.LogW)) > 50 {
			t.Errorf("%s: %d steps, %d left out, log w %v", chain.Direction, len(chain.Steps),
				chain.LeftOut, chain.LogW)
		}
	}
}

// TestWideChoices: of a choice among many states only the outcome and its probability are listed.
func TestWideChoices(t *testing.T) {
	s := selection("random:1:0:101", 3)
	s.Kernel = "independence"
	var e struct{ Forward, Reverse workedChain }
	longtest.NoError(t, json.Unmarshal(contents(t, mustNew(t, s))["example.json"], &e))
	for _, step := range append(e.Forward.Steps, e.Reverse.Steps...) {
		if c := step.Choices[0]; c.Kind != "choose" || c.N != 101 || len(c.P) != 0 ||
			c.Probability != 1.0/101 {
			t.Errorf("the choice is %+v", c)
		}
	}
}

// ExampleNew lists what an implementer gets.
func ExampleNew() {
	cases, err := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier"},
		Distributions: []int{12},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := conform.New(cases[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	files, err := t.Files(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range files {
		fmt.Println(f.Name)
	}
	fmt.Printf("log Z_T - log Z_1 = %.6f\n", t.LogZRatio())
	// Output:
	// task.json
	// logf.csv
	// logf.json
	// logf.npy
	// logf_stages.npy
	// betas.csv
	// neighbours.npy
	// neighbours.csv
	// kernel.npy
	// example.json
	// skeleton.py
	// skeleton_numpy.py
	// README.md
	// log Z_T - log Z_1 = 1.444613
}
