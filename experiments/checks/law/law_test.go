package law_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/exact/program"
	"breadboard/experiments/checks/law"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestMain makes the test binary a program whose distribution is wanted, if a test starts it so.
func TestMain(m *testing.M) {
	longtest.Main(m, map[string]func(kind string){"play": play})
}

// aborted is what a run ends with that is given up.
type aborted struct{}

// play plays a program, most of them bad ones.
func play(kind string) {
	in := bufio.NewScanner(os.Stdin)
	say := func(v any) { fmt.Println(string(longtest.Sure(json.Marshal(v)))) }
	ask := func(question map[string]any) int {
		say(question)
		in.Scan()
		var answer struct {
			Outcome int
			Abort   bool
		}
		if err := json.Unmarshal(in.Bytes(), &answer); err != nil {
			panic(err)
		}
		if answer.Abort {
			panic(aborted{})
		}
		return answer.Outcome
	}
	hello := map[string]any{"program": kind, "mode": "choose"}
	switch kind {
	case "kernel":
		hello = map[string]any{"kernel": kind, "mode": "choose"}
	case "samples":
		hello["mode"] = "sample"
	case "garbage":
		fmt.Println("hello")
	}
	say(hello)
	runs := 0
	run := func(id int) {
		defer func() {
			if r := recover(); r != nil {
				if r != (aborted{}) {
					panic(r)
				}
				say(map[string]any{"aborted": true, "id": id})
			}
		}()
		runs++
		say(answer(kind, runs, id, ask))
	}
	for in.Scan() {
		var request struct{ ID int }
		if err := json.Unmarshal(in.Bytes(), &request); err != nil {
			panic(err)
		}
		run(request.ID)
	}
}

// answer returns the answer to a request.
func answer(kind string, runs, id int, ask func(map[string]any) int) map[string]any {
	flip := map[string]any{"flip": 0.5}
	result := ""
	switch kind {
	case "dice":
		result = fmt.Sprint(2 + ask(map[string]any{"uniform": 6}) + ask(map[string]any{"uniform": 6}))
	case "heads":
		n := 0
		for ask(flip) == 1 {
			n++
		}
		result = fmt.Sprintf("%d heads", n)
	case "urn":
		result = []string{"red", "none", "blue"}[ask(map[string]any{"choose": []float64{0.25, 0, 0.75}})]
	case "coins":
		for range 40 {
			ask(flip)
		}
		result = "coins"
	case "forever":
		for {
			ask(map[string]any{"flip": 1})
		}
	case "remembers":
		result = fmt.Sprint(runs > 100 && ask(map[string]any{"uniform": 200}) < 300 ||
			ask(map[string]any{"uniform": 200}) > 300)
	case "counts":
		ask(flip)
		result = fmt.Sprint(runs)
	case "hangs":
		ask(flip)
		time.Sleep(time.Hour)
	case "exits":
		ask(flip)
		fmt.Fprintln(os.Stderr, "out of cards")
		os.Exit(4)
	case "state":
		return map[string]any{"state": 1, "id": id}
	case "number":
		return map[string]any{"result": 1, "id": id}
	case "other-id":
		return map[string]any{"result": "1", "id": id + 1}
	case "long":
		result = strings.Repeat("x", 1001)
	case "lines":
		result = "one\ntwo"
	case "unlikely":
		ask(map[string]any{"flip": 1.5})
	}
	return map[string]any{"result": result, "id": id}
}

// ask asks for the distribution of a program.
func ask(t *testing.T, ctx context.Context, kind string, o law.Options) ([]law.Row, error) {
	t.Helper()
	deadline := longtest.Patience
	if kind == "hangs" {
		deadline = time.Second // for its first line too, so that it is given more until it has begun
	}
	for ; ; deadline *= 2 {
		held := programs.NewPrograms(context.Background(), deadline)
		t.Cleanup(held.Close)
		f, err := held.StartFunction(os.Args[0] + " play " + kind)
		if err != nil && deadline < longtest.Patience {
			continue
		}
		if err != nil {
			return nil, err
		}
		return study.Run(ctx, law.Study(), []*programs.Function{f}, o, study.How{})
	}
}

var standardLaw = law.Study().Standard

// TestLaws: known distributions, to the last digit where they are dyadic.
func TestLaws(t *testing.T) {
	rows := longtest.Must(ask(t, context.Background(), "dice", standardLaw))(t)
	if len(rows) != 11 {
		t.Fatalf("%d sums", len(rows))
	}
	for i, r := range rows {
		ways := 6 - max(i-5, 5-i)
		if r.Outcome != fmt.Sprint(i+2) || r.Branches != ways || math.Abs(r.P-float64(ways)/36) > 1e-16 ||
			r.Remainder() != 0 {
			t.Errorf("%+v", r)
		}
	}
	if mean, variance, are := law.Moments(rows); !are || math.Abs(mean-7) > 1e-14 ||
		math.Abs(variance-35.0/6) > 1e-14 {
		t.Errorf("mean %v, variance %v", mean, variance)
	}
	rows = longtest.Must(ask(t, context.Background(), "heads", law.Options{Cut: 1e-3, Most: 100}))(t)
	if len(rows) != 9 || rows[8].Outcome != "8 heads" || rows[8].P != 1.0/512 ||
		rows[0].Remainder() != 1.0/512 || rows[0].Of.Left != 0 {
		t.Errorf("%+v", rows)
	}
	if _, _, are := law.Moments(rows); are {
		t.Error("what is not a number, and has a remainder, has a mean")
	}
	rows = longtest.Must(ask(t, context.Background(), "urn", standardLaw))(t)
	if len(rows) != 2 || rows[0].Outcome != "blue" || rows[0].P != 0.75 || rows[1].P != 0.25 {
		t.Errorf("%+v", rows)
	}
}

// TestEarlyEnds: the remainder is reported, and with the found probabilities adds up to one.
func TestEarlyEnds(t *testing.T) {
	rows := longtest.Must(ask(t, context.Background(), "dice", law.Options{Cut: 1e-12, Most: 10}))(t)
	if of := rows[0].Of; of.Ended != program.ByBranches || of.Runs != 10 ||
		math.Abs(of.Left-26.0/36) > 1e-15 {
		t.Errorf("%+v", of)
	}
	if _, _, are := law.Moments(rows); are {
		t.Error("a distribution with a remainder has a mean")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if rows, err := ask(t, ctx, "dice", standardLaw); err == nil || len(rows) > 0 {
		t.Errorf("interrupted: %v, %v", rows, err)
	}
	if !longtest.Enabled() {
		return // each is another process
	}
	longtest.Refuses(ask(t, context.Background(), "coins", law.Options{Cut: 1e-12, Most: 20}))(t,
		"no branch has reached a result")
	for want, o := range map[string]law.Options{
		"cut 1": {Cut: 1, Most: 1}, "cut NaN": {Cut: math.NaN(), Most: 1}, "-1": {Seconds: -1, Most: 1}} {
		longtest.Refuses(ask(t, context.Background(), "dice", o))(t, want)
	}
}

// TestBadPrograms: each is refused in words that say what it did, and as a fault unless its first
// line is none of the protocol.
func TestBadPrograms(t *testing.T) {
	for kind, want := range map[string]string{
		"kernel":    `write {"program": "a name", "mode": "choose"}`,
		"samples":   `write {"program": "a name", "mode": "choose"}`,
		"garbage":   `its line "hello" is not understood`,
		"forever":   "more than 4096 choices",
		"remembers": "it must depend on nothing else",
		"counts":    "it must depend on nothing else",
		"hangs":     "asked for run 1: it did not answer within ",
		"exits":     `its last output on stderr: "out of cards"`,
		"state":     "it answers with a state instead of a result",
		"number":    `its field "result" must not hold a number`,
		"other-id":  "it answers request 1 with id 2",
		"long":      "has 1001 bytes, and the limit is 1000",
		"lines":     "is not a line of text",
		"unlikely":  "Flip(1.5)",
	} {
		if !longtest.Enabled() && !slices.Contains([]string{"counts", "unlikely"}, kind) {
			continue // each is another process
		}
		_, err := ask(t, context.Background(), kind, standardLaw)
		longtest.Refused(t, err, want)
		if chains.IsFault(err) == slices.Contains([]string{"kernel", "samples", "garbage"}, kind) {
			t.Errorf("%s: error %v", kind, err)
		}
	}
}
