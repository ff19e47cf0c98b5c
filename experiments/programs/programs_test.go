package programs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestMain makes the test binary a program to be tested with, if a test starts it so.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && playFamily(os.Args[1], os.Args[2], os.Args[3]) {
		return
	}
	longtest.Main(m, map[string]func(kind string){"program": program, "sampler": playSampler})
}

// program plays a kernel program, most of them bad ones.
func program(kind string) {
	say := func(v any) {
		line := longtest.Sure(json.Marshal(v))
		fmt.Println(string(line))
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	// behind it the file by which a program knows whether it was started before
	kind, claims, _ := strings.Cut(kind, "@")
	mode := "choose"
	if strings.HasPrefix(kind, "sample") {
		mode = "sample"
	}
	switch kind {
	case "mute":
		if claims != "" {
			firstOf(claims)
		}
		time.Sleep(time.Hour)
	case "dead":
		fmt.Fprintln(os.Stderr, "no such module")
		os.Exit(7)
	case "garbage":
		fmt.Println("hello, world")
	case "endless":
		for {
			fmt.Print(strings.Repeat("x", 1<<20))
		}
	case "mode":
		say(map[string]any{"kernel": "x", "mode": "both"})
	case "deaf":
		say(map[string]any{"kernel": "x", "mode": mode})
		time.Sleep(time.Hour)
	default:
		hostileHello(kind)
	}
	hello := map[string]any{"kernel": kind, "mode": mode}
	if claims != "" {
		hello["reversible"] = firstOf(claims)
	}
	say(hello)
	var logf []*float64
	ahead := teller{kind: kind}
	for in.Scan() {
		if ahead.answers(in.Bytes(), say) {
			continue
		}
		var message struct {
			Logf                      []*float64
			Shape                     []int
			Move, Sample, Moves, Seed *int
			ID                        int
		}
		if err := json.Unmarshal(in.Bytes(), &message); err != nil {
			panic(err)
		}
		switch {
		case message.Logf != nil:
			logf = message.Logf
			if !slices.Equal(message.Shape, []int{2, 2}) {
				panic(fmt.Sprintf("shape %v", message.Shape))
			}
			ready := map[string]any{"ready": kind != "unready", "id": message.ID}
			if strings.HasPrefix(kind, "ahead") {
				ready["trees"] = true
			}
			say(ready)
		case message.Sample != nil:
			id := message.ID
			if kind == "sample-of-another-request" {
				id++
			}
			say := func(v any) { say(map[string]any{"counts": v, "id": id}) }
			sampled(kind, say, *message.Sample, *message.Moves, uint64(*message.Seed), len(logf))
		default:
			say := func(v any) {
				if m, ok := v.(map[string]int); ok && m["uniform"] == 0 {
					m["id"] = message.ID
				}
				say(v)
			}
			moved(kind, say, in, logf, *message.Move)
		}
	}
}

// firstOf reports whether there was no file at a path, and makes it.
func firstOf(path string) bool {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

func moved(kind string, say func(any), in *bufio.Scanner, logf []*float64, x int) {
	ask := func(v any) int {
		say(v)
		in.Scan()
		var o struct {
			Outcome int
			Abort   bool
			ID      int
		}
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			panic(err)
		}
		if o.Abort {
			hostileAbort(kind)
			panic(aborted(o.ID))
		}
		return o.Outcome
	}
	defer func() {
		if r := recover(); r != nil {
			id, ok := r.(aborted)
			if !ok {
				panic(r)
			}
			fmt.Printf("{\"aborted\":true,\"id\":%d}\n", id)
		}
	}()
	switch kind {
	case "hang":
		if x == 2 {
			time.Sleep(time.Hour)
		}
	case "tree":
		for ask(map[string]int{"uniform": 1}) < 2 {
		}
	case "outside":
		say(map[string]int{"state": 99})
		return
	case "both":
		say(map[string]any{"state": 1, "flip": 0.5})
		return
	case "early":
		fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 1<<18)+"the last words")
		os.Exit(3)
	case "probability":
		ask(map[string]float64{"flip": 1.5})
	case "loop":
		for {
			ask(map[string]int{"uniform": 1})
		}
	case "child":
		c := exec.Command("sleep", "3600")
		c.Stdout = os.Stdout // keeps our output open when we are gone
		if err := c.Start(); err != nil {
			panic(err)
		}
		os.Exit(0)
	case "extra":
		say(map[string]int{"state": x})
		say(map[string]int{"state": x})
		return
	default:
		if hostileMove(kind, say, ask, x) {
			return
		}
	}
	// Metropolis on a 2x2 grid with walls.
	y := []int{x ^ 2, x ^ 1}[ask(map[string]int{"uniform": 4})/2]
	if (ask(map[string]any{"choose": []float64{0.5, 0.5}})) == 1 { // every wall is one half of an axis
		say(map[string]int{"state": x})
		return
	}
	if logf[y] == nil {
		say(map[string]int{"state": x})
		return
	}
	if logf[x] != nil && ask(map[string]float64{"flip": math.Exp(min(0, *logf[y]-*logf[x]))}) == 0 {
		y = x
	}
	say(map[string]int{"state": y})
}

// aborted is the id of a request that breadboard has given up.
type aborted int

func sampled(kind string, say func(any), x, moves int, seed uint64, n int) {
	counts := map[int]int{}
	rng := rand.New(rand.NewPCG(seed, 0))
	for range moves {
		if rng.IntN(2) == 0 {
			counts[x]++
		} else {
			counts[(x+1)%n]++
		}
	}
	switch kind {
	case "sample-outside":
		counts = map[int]int{77: moves}
	case "sample-short":
		counts[x]--
	case "sample-negative":
		counts = map[int]int{0: moves + 5, 1: -5}
	}
	say(counts)
}

func start(t *testing.T, kind string, deadline time.Duration) (*Program, error) {
	t.Helper()
	programs := NewPrograms(context.Background(), deadline)
	t.Cleanup(programs.Close)
	return programs.StartKernel(os.Args[0]+" program "+kind, grid.MustNew(2, 2))
}

// parseKernel returns the kernel of a selector, without programs.
func parseKernel(text string, space grid.Graph) (*chains.Transitions, error) {
	return Env{Forms: Forms(), Space: space}.Parse(text)
}

// TestBadPrograms: each is an error that says what is wrong, and never a state.
func TestBadPrograms(t *testing.T) {
	for kind, want := range map[string]string{
		"mute":        "did not answer within",
		"garbage":     "is not understood: standard output belongs to the protocol",
		"endless":     "it wrote a line that does not end; the limit is",
		"mode":        `its mode is "both"`,
		"deaf":        "did not answer within",
		"hang":        "did not answer within",
		"unready":     "ready",
		"outside":     "99",
		"both":        "one of choose, flip, uniform and state",
		"early":       "the last words",
		"probability": "1.5",
		"loop":        "choices",
		"child":       "did not answer within",
		"extra":       "it answers request 3 with id 2",
		"tree":        "make fewer choices",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if !slices.Contains([]string{"garbage", "outside", "early"}, kind) {
				longtest.Only(t) // each is another process
			}
			_, err := rows(t, kind)
			longtest.Refused(t, err, want)
			_, broken := errors.AsType[ProgramError](err)
			_, unstarted := errors.AsType[StartError](err)
			first := strings.Contains(err.Error(), firstLine)
			if unstarted != first || !broken && !first && kind != "outside" && kind != "probability" {
				t.Errorf("error %v is none of the program's, or none of its start", err)
			}
		})
	}
}

// TestFailedOnce: a program whose first line has failed is not waited for again on another space.
func TestFailedOnce(t *testing.T) {
	programs := NewPrograms(context.Background(), longtest.Patience)
	defer programs.Close()
	_, first := programs.StartKernel(os.Args[0]+" program garbage", grid.MustNew(2, 2))
	_, second := programs.StartKernel(os.Args[0]+" program garbage", grid.MustNew(3))
	if first == nil || second != first {
		t.Errorf("%v, then %v", first, second)
	}
}

// rows asks a program for every row on a 2x2 grid, by making moves with a Chooser that picks the
// first outcome.
func rows(t *testing.T, kind string) (states []int, err error) {
	deadline := longtest.Patience
	if kind == "mute" || kind == "deaf" {
		deadline = 100 * time.Millisecond // whatever it says until then, it falls silent
	}
	k, err := start(t, kind, deadline)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(error); ok {
				err = e
				return
			}
			err = fmt.Errorf("%v", r)
		}
	}()
	if kind == "hang" || kind == "child" {
		if err := k.prepare([]float64{0, 1, math.Inf(-1), 0.5}); err != nil {
			return nil, err
		}
		k.p.deadline = 100 * time.Millisecond // as above
	}
	if kind == "tree" { // what enumeration does with a loop: the same move again and again
		spend(k, []float64{0, 1, 2, 3}, 1)
		for range maxWalked {
			quit := quitter{left: new(10)}
			func() {
				defer func() {
					if r := recover(); r != nil && r != any("enough") {
						panic(r)
					}
				}()
				k.Move(quit, []float64{0, 1, 2, 3}, 1)
			}()
		}
	}
	for x := range 4 {
		y := k.Move(first{}, []float64{0, 1, math.Inf(-1), 0.5}, x)
		if y < 0 || y > 3 {
			return nil, fmt.Errorf("state %d", y)
		}
		states = append(states, y)
	}
	return states, nil
}

// first is the Chooser that takes the first outcome, and refuses what is not a probability.
type first struct{}

func (first) Flip(p float64) bool {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Sprintf("flip %v", p))
	}
	return p > 0
}
func (first) Uniform(int) int      { return 0 }
func (first) Choose([]float64) int { return 0 }

// TestADialogueLeftInTheMiddle: after the caller has given up a move the next one is answered
// rightly.
func TestADialogueLeftInTheMiddle(t *testing.T) {
	k := longtest.Must(start(t, "good", longtest.Patience))(t)
	logf := []float64{0, 1, math.Inf(-1), 0.5}
	func() {
		defer func() { _ = recover() }()
		k.Move(quitter{left: new(1)}, logf, 1)
	}()
	if y := k.Move(first{}, logf, 1); y != 3 {
		t.Errorf("went to %d, want 3", y)
	}
}

// quitter is the Chooser that has had enough after some choices.
type quitter struct {
	first
	left *int
}

func (q quitter) Uniform(int) int {
	*q.left--
	if *q.left <= 0 {
		panic("enough")
	}
	return 0
}

// eventually waits for something that must happen, and reports whether it did.
func eventually(happened func() bool) bool {
	for end := time.Now().Add(longtest.Patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if happened() {
			return true
		}
	}
	return false
}

// TestWaitingEndsWithTheContext: an interrupt does not wait for a program that hangs.
func TestWaitingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	programs := NewPrograms(ctx, time.Hour)
	defer programs.Close()
	runs := filepath.Join(t.TempDir(), "runs")
	go func() {
		defer cancel()
		eventually(func() bool { _, err := os.Stat(runs); return err == nil })
	}()
	if _, err := programs.StartKernel(os.Args[0]+" program mute@"+runs, grid.MustNew(2, 2)); !errors.Is(
		err,
		context.Canceled,
	) {
		t.Errorf("error %v", err)
	}
}

func TestBadSamples(t *testing.T) {
	longtest.Only(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for kind, want := range map[string]string{
		"sample": "", "sample-outside": "went to state 77, outside 0..3",
		"sample-short":    "sum to 99 instead of 100 moves",
		"sample-negative": "counts", "sample-of-another-request": "it answers request 2 with id 3",
	} {
		k := longtest.Must(start(t, kind, longtest.Patience))(t)
		counts, err := k.Sample([]float64{0, 1, 2, 3}, 1, 100, rng)
		if want == "" {
			if err != nil || counts[1]+counts[2] != 100 || k.meter.moves != 100 {
				t.Errorf("%s: %v of %d moves, %v", kind, counts, k.meter.moves, err)
			}
			continue
		}
		longtest.Refused(t, err, want, kind)
	}
}

// TestEndsBeforeItsFirstLine: a program that ends without a word could not be started, as a kernel
// and as a sampler, which is no fault of what it would have answered. One that has answered before,
// and is started again, has done wrong.
func TestEndsBeforeItsFirstLine(t *testing.T) {
	longtest.Only(t)
	programs := NewPrograms(context.Background(), longtest.Patience)
	defer programs.Close()
	_, kernel := programs.StartKernel(os.Args[0]+" program dead", grid.MustNew(2, 2))
	_, sampler := programs.StartSampler([]string{os.Args[0], "sampler", "dead"}, six())
	for _, err := range []error{kernel, sampler} {
		_, is := errors.AsType[StartError](err)
		if _, program := errors.AsType[ProgramError](err); !is || program || chains.IsFault(err) ||
			!strings.Contains(err.Error(),
				`before its first line (exit status 7); its last output on stderr: "no such module"`) {
			t.Errorf("error %v", err)
		}
	}
	again := longtest.Must(startProcess(t.Context(), command{"dead", []string{os.Args[0], "program", "dead"}},
		limits{longtest.Patience, longtest.Patience, maxLine}, &meter{lines: 1}, watch{}))(t)
	if _, err := again.exchange(nil); !chains.IsFault(err) ||
		!strings.Contains(err.Error(), "it closed its output (exit status 7)") {
		t.Errorf("started again: %v", err)
	}
}

// TestInexactOf: a matrix of few digits is exact if each of its rows sums to one within an ulp.
func TestInexactOf(t *testing.T) {
	for text, want := range map[string]float64{
		"0.5,0.25,0.25\n0.25,0.5,0.25\n0,0,1\n": 0, "0.1,0.2,0.7\n0.7,0.2,0.1\n0.3,0.3,0.4\n": 0,
		"0.5,0.25,0.25\n0.3333,0.3333,0.3333\n0,0,1\n":          5e-5,
		"0.5,0.5,0\n0,1,0\n0,0.0000000000005,0.9999999999999\n": 5e-14,
	} {
		moves := longtest.Must(parseKernel("matrix:"+write(t, "m.csv", text), grid.MustNew(1, 3)))(t)
		if got := InexactOf(moves); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%q: %v, for %v", text, got, want)
		}
	}
}

// TestSilence: a program that does not say its first line is named, with what it is waited for,
// long before its time is over.
func TestSilence(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	programs := NewPrograms(ctx, time.Hour)
	defer programs.Close()
	var told []string
	programs.watch = watch{time.Millisecond, func(what string) { told = append(told, what); cancel() }}
	_, err := programs.StartSampler([]string{os.Args[0], "sampler", "mute"}, six())
	if want := fmt.Sprintf(
		`program "%s sampler mute", asked for its first line, has not answered for 1ms; the limit is 1h0m0s`,
		os.Args[0],
	); !errors.Is(err, context.Canceled) || !slices.Equal(told, []string{want}) {
		t.Errorf("%v; told %q, want %q", err, told, want)
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := longtest.File(t, name, text)
	return path
}

func TestMatrix(t *testing.T) {
	space := grid.MustNew(1, 2)
	m := longtest.Must(Env{Space: space}.ReadMatrix(write(t, "m.csv", "0.75,0.25\n0.500,0.500\n")))(t)
	if got := m.AppendRow(nil, nil, 0); len(got) != 2 || got[1] != (chains.Entry{To: 1, P: 0.25}) ||
		m.Rounding != 0.0005 {
		t.Errorf("row %v, rounding %v", got, m.Rounding)
	}
	for text, want := range map[string]string{
		"0.75,0.25\n1.1,-0.1\n":         "row 2, column 1: 1.1 is not a probability",
		"0.75,0.25\n0.4,0.5\n":          "row 2 sums to 0.9",
		"0.33,0.65\n0.5,0.5\n":          "row 1 sums to 0.98",
		"0.0,0.0\n0.0,0.0\n":            "row 1 sums to 0",
		"0.5,0.4\n0.5,0.5\n":            "row 1 sums to 0.9",
		"0.3333,0.6600\n0.5,0.5\n":      "row 1 sums to 0.9933",
		"1,0\n0,1\n0,1\n":               "needs 2x2",
		"nan,1\n0,1\n":                  "line 1, column 1",
		"0.5,0.5\n":                     "needs 2x2",
		"1e-1,9e-1\n1e0,0\n":            "",
		"0.10000001,0.9\n1,0\n":         "",
		"0.1000001,0.8999998\n1,0.00\n": "",
	} {
		_, err := Env{Space: space}.ReadMatrix(write(t, "m.csv", text))
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// TestLabelledMatrix: rows and columns are found by the names of states, in whatever order and form
// they stand, and a file that names other states is refused.
func TestLabelledMatrix(t *testing.T) {
	space := grid.MustNew(2)
	words := []string{"dry", "wet"}
	labels := []func(int) string{
		func(x int) string { return words[x] }, func(x int) string { return "s=" + words[x] }}
	for _, c := range []struct{ name, text, want string }{
		{"m.csv", ",dry,wet\ndry,0.75,0.25\nwet,0.5,0.5\n", ""},
		{"m.csv", "\ufeffstate;wet;dry\r\nwet;0.5;0.5\r\ndry;0.25;0.75\r\n", ""},
		{"m.csv", "\"\",\"wet\",\"dry\"\n\"dry\",0.25,0.75\n\"wet\",.5,.5\n", ""},
		{"m.csv", "1,2\n0.75,0.25\n0.5,0.5\n", ""},
		{"m.txt", "dry wet\ndry 0.75 0.25\nwet 0.5 0.5\n", ""}, // R's write.table
		{"m.csv", "dry,wet\n0.75,0.25\n0.5,0.5\n", ""},
		{"m.csv", "dry,0.75,0.25\nwet,0.5,0.5\n", ""},
		{"m.csv", "wet,dry\n0.5,0.5\n0.25,0.75\n", "only its columns are named, wet, dry, in another order than the states; name"},
		{"m.csv", "wet,0.5,0.5\ndry,0.25,0.75\n", "name rows and columns"},
		{"m.csv", "\"\",\"V1\",\"V2\"\n\"1\",0.75,0.25\n\"2\",0.5,0.5\n", ""},
		{"m.csv", "# P\n0,1\n0.75,0.25\n0.5,0.5\n", ""},
		{"m.csv", ",0,1\n0,0.75,0.25\n1,0.5,0.5\n", ""},
		{"m.csv", "1,0.5,0.5\n0,0.25,0.75\n",
			"no row, or no column, is that of the state dry; the rows are named 1, 0"},
		{"m.csv", ",1,2\n1,0.75,0.25\n2,0.5,0.5\n", ""},
		{"m.csv", "s,1,2\n1,0.75,0.25\n2,0.5,0.5\n", ""},
		{"m.csv", "s,dry,wet\ndry,0.75,0.25\nwet,0.5,0.5\n", ""},
		{"m.txt", "  0 1\n0 0.75 0.25\n1 0.5 0.5\n", ""}, // print of pandas
		{"m.csv", ",s=dry,s=wet\ns=wet,0.5,0.5\ns=dry,0.75,0.25\n", ""},
		{"m.csv", ",1,2\n2,0.75,0.25\n1,0.5,0.5\n",
			"is that of the state dry; the rows are named 2, 1 and the columns 1, 2"},
		// R's jsonlite
		{"m.json", `[{"dry":0.5,"wet":0.5,"_row":"wet"},{"dry":0.75,"wet":0.25,"_row":"dry"}]`, ""},
		{"m.csv", ",dry,wet\ndry,0.9,0.7\nwet,0.1,0.3\n",
			"row 1 sums to 1.6; with its digits the sum may differ from 1 by 0.02; its columns sum to 1: " +
				"write its transpose"},
		{"m.csv", ",dry,wet\ndry,1,1\nwet,0,1\n", "row 1 sums to 2; with its digits the sum may differ from 1 by 2.4e-07; divide each row"},
		{"m.json", "[[0.75, 0.25],\n [0.5, 0.5]]", ""},
		{"m.json", "[[0.75, 0.25],\n [0.5, null]]", "line 2, column 2: the cell is empty"},
		{"m.json", "[[0.75, 0.25], [0.5, 0.5]", "line 1"},
		{"m.csv", ",dry,hot\ndry,0.75,0.25\nwet,0.5,0.5\n",
			"no row, or no column, is that of the state wet; the rows are named dry, wet and the columns dry, hot"},
		{"m.csv", ",dry,dry\ndry,0.75,0.25\nwet,0.5,0.5\n", "two columns are named"},
		{"m.csv", ",dry,wet\ndry,0.75,0.25\ndry,0.5,0.5\n", "is that of the state wet"},
		{"m.csv", ",dry,wet\ndry,0.75,\nwet,0.5,0.5\n", "line 2, column 3 (wet): the cell is empty"},
		{"m.csv", ",dry,wet\ndry,0.75,inf\nwet,0.5,0.5\n", "line 2, column 3 (wet): \"inf\" is not a number"},
		{"m.csv", ",dry,wet\ndry,0.75,0.25\nwet,0.5,0.5\nsum,1,1\n", "is 3x2; a kernel on 2 needs 2x2"},
	} {
		m, err := Env{Space: space, Labels: labels}.ReadMatrix(write(t, c.name, c.text))
		if c.want != "" {
			longtest.Refuses(m, err)(t, c.want)
		} else if err != nil || !slices.Equal(probabilities(m), []float64{0.75, 0.25, 0.5, 0.5}) {
			t.Errorf("%q: %v, %v", c.text, m, err)
		}
	}
	for _, text := range []string{
		",2,1\n1,0.25,0.75\n2,0.5,0.5\n", ",1,0\n0,0.25,0.75\n1,0.5,0.5\n", "a,0.75,0.25\na,0.5,0.5\n"} {
		// numbers in any order, and words that say nothing
		if m := longtest.Must(Env{Space: space}.ReadMatrix(write(t, "m.csv", text)))(t); !slices.Equal(
			probabilities(m),
			[]float64{0.75, 0.25, 0.5, 0.5},
		) {
			t.Errorf("%q: %v", text, m.entries)
		}
	}
	longtest.Refuses(Env{Space: space}.ReadMatrix(write(t, "m.csv", ",b,a\na,0.25,0.75\nb,0.5,0.5\n")))(t,
		"the rows are named a, b and the columns b, a, and the target has no names")
	longtest.Refuses(Env{Space: space}.ReadMatrix(write(t, "m.csv", ",7,5\n7,0.25,0.75\n5,0.5,0.5\n")))(t,
		"the rows are named 7, 5 and the columns 7, 5, and the target has no names")
	longtest.Refuses(Env{Space: space}.ReadMatrix(write(t, "m.csv", "from,to,prob\na,a,0.9\na,b,0.1\n"+
		"b,a,0.4\nb,b,0.6\n")))(t, "it is 4x3; a kernel on 2 needs 2x2, a row and a column for each "+
		"state; a list of moves")
	m := longtest.Must(Env{Space: space}.ReadMatrix(write(t, "m.csv", ",a,b\na,0.75,0.25\nb,0.5,0.5\n")))(t)
	if !slices.Equal(probabilities(m), []float64{0.75, 0.25, 0.5, 0.5}) || m.Rounding != 0.005 {
		t.Errorf("%v, rounded to %v", m.entries, m.Rounding)
	}
	single := func(p float64) float64 { return float64(float32(p)) }
	rows := []float64{single(0.7), single(0.3), single(0.1), single(0.9)} // the second row sums to 1 + 2^-26
	m = longtest.Must(Env{Space: space}.ReadMatrix(write(t, "m.npy", string(numpy.Floats(rows, 2, 2)))))(t)
	if m.Rounding != 0x1p-23 {
		t.Errorf("single precision, rounded to %v", m.Rounding)
	}
	for p, rounding := range map[float64]float64{
		0.75: 0, 0.7: 0, single(0.7): 0x1p-23, single(0.9): 0x1p-23, 1 - 0x1p-19: 0, 1 - 0x1p-20: 0x1p-23} {
		m = longtest.Must(
			Env{Space: space}.ReadMatrix(write(t, "m.npy", string(numpy.Floats([]float64{p, 1 - p, p, 1 - p}, 2, 2)))),
		)(t)
		if m.Rounding != rounding {
			t.Errorf("a kernel that is an exact draw, with %v: rounded to %v", p, m.Rounding)
		}
	}
	digits := "0.699999988079071,0.30000001192092896\n0.10000000149011612,0.8999999761581421\n"
	m = longtest.Must(Env{Space: space}.ReadMatrix(write(t, "m.csv", digits)))(t)
	if m.Rounding != 0x1p-23 || m.Digits() != "24 bits of single precision" {
		t.Errorf("single precision in a text, rounded to %v", m.Rounding)
	}
	rows[0] += 1e-6
	longtest.Refuses(Env{Space: space}.ReadMatrix(write(t, "m.npy", string(numpy.Floats(rows, 2, 2)))))(t,
		"row 1 sums to 1.000001")
}

// TestMatrixThatIsTooLarge: a file that no matrix on the space can be is refused before it is read.
func TestMatrixThatIsTooLarge(t *testing.T) {
	for _, name := range []string{"m.csv", "m.npy"} {
		path := write(t, name, "")
		longtest.NoError(t, os.Truncate(path, 200_000))
		longtest.Refuses(Env{Space: grid.MustNew(7, 7)}.ReadMatrix(path))(t, "are read of such a file")
	}
	path := write(t, "large.npy", "")
	longtest.NoError(t, os.Truncate(path, 800_000_128))
	longtest.Refuses(Env{Space: grid.MustNew(100, 100)}.ReadMatrix(path))(t, "at most 536.9 MB")
}

// TestSparseMatrix: a file that has only the entries that are not zero may be of more states than a
// matrix of all entries has room for.
func TestSparseMatrix(t *testing.T) {
	const n = 5000
	text := fmt.Appendf(nil, "%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n", n, n, n)
	for x := range n {
		text = fmt.Appendf(text, "%d %d 1\n", x+1, (x+1)%n+1)
	}
	m := longtest.Must(Env{Space: grid.MustNew(50, 100)}.ReadMatrix(write(t, "m.mtx", string(text))))(t)
	if got := m.AppendRow(nil, nil, n-1); m.States() != n || len(got) != 1 ||
		got[0] != (chains.Entry{To: 0, P: 1}) {
		t.Errorf("the last of %d rows is %v", m.States(), got)
	}
	longtest.Refuses(Env{Space: grid.MustNew(50, 101)}.ReadMatrix(write(t, "m.mtx", string(text))))(t,
		"is 5000x5000; a kernel on 50x101 needs 5050x5050")
}

func TestMatrices(t *testing.T) {
	space := grid.MustNew(1, 2)
	path := write(t, "m2.csv", "0.5,0.5\n0.5,0.5\n")
	pattern := strings.Replace(path, "m2.csv", "m{t}.csv", 1)
	longtest.NoError(t, os.WriteFile(strings.Replace(path, "m2", "m3", 1), []byte("0.75,0.25\n0.5,0.5\n"), 0o644))
	k := longtest.Must(parseKernel("matrix:"+pattern, space))(t)
	if k.Distributions() != 3 || k.KernelAt(3).(*Matrix).entries[1].P != 0.25 {
		t.Errorf("%d distributions", k.Distributions())
	}
	stage := func(t string) string { return strings.Replace(path, "m2", "m"+t, 1) }
	for _, c := range []struct {
		make func() error
		name string
		want string
	}{
		{func() error { return os.Symlink(stage("-nowhere"), stage("4")) }, stage("4"), stage("4")},
		{func() error { return os.WriteFile(stage("7"), nil, 0o644) }, stage("7"),
			"there is a file for t = 7 but none for 4"},
		{func() error { return os.WriteFile(stage("1"), nil, 0o644) }, stage("1"),
			"there is a file for t = 1"},
		{func() error { return os.WriteFile(stage("007"), nil, 0o644) }, stage("007"), ""},
		{func() error { return os.WriteFile(stage("7b"), nil, 0o644) }, stage("7b"), ""},
	} {
		if err := c.make(); err != nil {
			t.Skip(err)
		}
		k, err := parseKernel("matrix:"+pattern, space)
		if c.want == "" && (err != nil || k.Distributions() != 3) ||
			c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("with %s: %v, want %q", c.name, err, c.want)
		}
		os.Remove(c.name)
	}
	for selector, want := range map[string]string{
		"matrix:":                      "matrix:PATH",
		"matrix:/nonexistent/m.csv":    "/nonexistent/m.csv",
		"matrix:/nonexistent/m{t}.csv": "/nonexistent/m2.csv",
		"exec:true":                    "cannot be run here",
		"metropolos":                   "did you mean metropolis",
		"matrx:m.csv":                  "did you mean matrix?",
		"exce:true":                    "did you mean exec?",
		"lazy:0.5:matrix:m.csv":        "unknown kernel",
	} {
		if k, err := parseKernel(selector, space); err == nil || k != nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", selector, k, err)
		}
	}
}

// TestMatricesOfAnArchive: the stages are the keys of one archive, of which there is one for each
// from 2 on, or files whose arrays have one key.
func TestMatricesOfAnArchive(t *testing.T) {
	space := grid.MustNew(1, 2)
	first := numpy.Floats([]float64{0.5, 0.5, 0.5, 0.5}, 2, 2)
	second := numpy.Floats([]float64{0.75, 0.25, 0.5, 0.5}, 2, 2)
	archive := func(name string, members ...numpy.Member) string {
		var b bytes.Buffer
		longtest.NoError(t, numpy.WriteArchive(&b, members))
		return write(t, name, b.String())
	}
	both := archive("k.npz", numpy.Member{Name: "kernel_2", Data: first}, numpy.Member{Name: "kernel_3", Data: second},
		numpy.Member{Name: "kernel_03", Data: first},
		numpy.Member{Name: "kernel_4_data", Data: first}, numpy.Member{Name: "gap_2", Data: first},
		numpy.Member{Name: "gap_5", Data: first},
		numpy.Member{Name: "one_1", Data: first})
	one := archive("s2.npz", numpy.Member{Name: "P", Data: second}, numpy.Member{Name: "Q", Data: first})
	for _, c := range []struct {
		path string
		T    int
		last float64 // the second entry of the matrix of the last stage
	}{{both + "#kernel_{t}", 3, 0.25}, {strings.Replace(one, "s2", "s{t}", 1) + "#P", 2, 0.25},
		{strings.Replace(one, "s2", "s{t}", 1) + "#Q", 2, 0.5}} {
		k, err := parseKernel("matrix:"+c.path, space)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
		} else if got := k.KernelAt(c.T).(*Matrix).entries[1].P; k.Distributions() != c.T || got != c.last {
			t.Errorf("%s: %d distributions, and %v", c.path, k.Distributions(), got)
		}
	}
	for path, want := range map[string]string{
		both + "#gap_{t}":              "there is an array for t = 5 but none for 3",
		both + "#one_{t}":              "there is an array for t = 1",
		both + "#kernl_{t}":            `the archive has no array "kernl_2"; it has kernel_2`,
		both + "#kernel_{t}0":          "a digit follows {t}",
		both + "x.npz#kernel_{t}":      "no such file",
		write(t, "e.npz", "") + "#{t}": "this is not a ZIP archive such as .npz",
	} {
		longtest.Refuses(parseKernel("matrix:"+path, space))(t, want)
	}
}

func probabilities(m *Matrix) (p []float64) {
	for _, e := range m.entries {
		p = append(p, e.P)
	}
	return p
}
