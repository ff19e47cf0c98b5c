package programs

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// playSampler plays a sampler of chains on a 2x3 grid with T = 3, most of them bad ones. A kind
// that begins with { is the text of all of its answers, in which ID stands for the number of the
// request.
func playSampler(kind string) {
	in := bufio.NewScanner(os.Stdin)
	switch kind {
	case "mute":
		time.Sleep(time.Hour)
	case "dead":
		fmt.Fprintln(os.Stderr, "no such module")
		os.Exit(7)
	case "nameless":
		fmt.Println(`{}`)
	case "kernel":
		fmt.Println(`{"kernel":"x","mode":"sample"}`)
	case "garbage":
		fmt.Println("hello, world")
	}
	fmt.Println(`{"sampler":"the stand-in"}`)
	for in.Scan() {
		var asked struct {
			Direction        string
			Chains, Seed, ID int
		}
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			panic(err)
		}
		if !playHostileSampler(kind, asked.ID) {
			answer := sampled6(asked.Direction, asked.Chains, asked.Seed, kind)
			answer["id"] = asked.ID
			line := longtest.Sure(json.Marshal(answer))
			fmt.Println(string(line))
		}
	}
}

// playHostileSampler does what a bad sampler does instead of an answer, and returns false for the
// others.
func playHostileSampler(kind string, id int) bool {
	switch kind {
	case "hang":
		fmt.Fprintln(os.Stderr, "asked")
		time.Sleep(time.Hour)
	case "early":
		fmt.Fprintln(os.Stderr, "the last words")
		os.Exit(3)
	case "endless":
		for {
			fmt.Print(strings.Repeat("[", 1<<20))
		}
	case "twice":
		line := fmt.Sprintf(`{"log_w":[1,2],"id":%d}`, id)
		fmt.Println(line + "\n" + line)
		return true
	case "stages": // very many elements in few bytes
		fmt.Printf(`{"path":[%s[]],"id":%d}`+"\n", strings.Repeat("[],", 2_000_000), id)
		return true
	}
	if strings.HasPrefix(kind, "{") {
		fmt.Println(strings.ReplaceAll(kind, "ID", strconv.Itoa(id)))
		return true
	}
	return false
}

// sampled6 returns the columns of an answer whose states and weights are drawn without regard to
// any target.
func sampled6(direction string, n, seed int, kind string) map[string]any {
	if kind == "one stream" {
		seed = 1
	}
	if kind == "no seed" {
		seed = int(rand.Uint32())
	}
	if kind == "one way" && direction == "reverse" || kind == "no way" {
		return map[string]any{"unsupported": true}
	}
	way := uint64(0)
	if direction == "reverse" {
		way = 1
	}
	rng := rand.New(rand.NewPCG(uint64(seed), way))
	var logw []any
	var first []int
	path := make([][]any, 3)
	increments := make([][]float64, 2)
	for range n {
		logw = append(logw, rng.NormFloat64())
		x := rng.IntN(6)
		first = append(first, x)
		path[0] = append(path[0], []int{x / 3, x % 3})
		path[1] = append(path[1], rng.IntN(6))
		path[2] = append(path[2], rng.IntN(6))
		increments[0] = append(increments[0], rng.NormFloat64())
		increments[1] = append(increments[1], rng.NormFloat64())
	}
	if kind == "constant" {
		return map[string]any{"log_w": make([]float64, n)}
	}
	if kind == "infinite" {
		logw[0], logw[1] = "-Inf", "Infinity"
	}
	if kind == "whole" {
		return map[string]any{"log_w": logw, "path": path, "increments": increments}
	}
	return map[string]any{"log_w": logw, "x_first": first}
}

// six is the space of the samplers here.
func six() draws.Space { return draws.Space{States: 6, Sides: []int{2, 3}, Distributions: 3} }

func startSampler(t *testing.T, kind string, deadline time.Duration) (*Sampler, error) {
	t.Helper()
	programs := NewPrograms(context.Background(), deadline)
	t.Cleanup(programs.Close)
	return programs.StartSampler([]string{os.Args[0], "sampler", kind}, six())
}

// askTwo starts a sampler and asks it for two forward chains.
func askTwo(t *testing.T, kind string, deadline time.Duration) (*draws.Batch, error) {
	t.Helper()
	s, err := startSampler(t, kind, deadline)
	if err != nil {
		return nil, err
	}
	return s.Ask(context.Background(), chains.Forward, 2, 1)
}

// TestSampler: batches of both directions are those of their seeds, rows are counted, and the
// columns are known.
func TestSampler(t *testing.T) {
	s := longtest.Must(startSampler(t, "good", longtest.Patience))(t)
	if s.Name() != "the stand-in" {
		t.Errorf("name %q", s.Name())
	}
	for i, d := range []chains.Direction{chains.Forward, chains.Reverse, chains.Forward} {
		b := longtest.Must(s.Ask(context.Background(), d, 5, uint64(i)))(t)
		want := sampled6(d.String(), 5, i, "good")
		for c, w := range b.LogW {
			if want["log_w"].([]any)[c] != w || want["x_first"].([]int)[c] != int(b.XFirst[c]) {
				t.Errorf("%v chains of seed %d: %v, want %v", d, i, b, want)
			}
		}
		if b.Rows != 5 || b.First != 5*(i/2) || len(b.LogW) != 5 || b.XLast != nil || b.Path != nil {
			t.Errorf("batch %+v", b)
		}
	}
	if c := s.Columns(chains.Reverse); c != (draws.Columns{LogW: true, XFirst: true}) {
		t.Errorf("columns %+v", c)
	}
	if p := s.Precision(chains.Forward); p.Significant < 15 || p.Rounding(1) > 1e-15 {
		t.Errorf("precision %+v of float64 in full", p)
	}
}

// TestSamplerWhole: paths have states by number and by coordinates, and give the ends; increments
// come with them.
func TestSamplerWhole(t *testing.T) {
	b := longtest.Must(askTwo(t, "whole", longtest.Patience))(t)
	want := sampled6("forward", 2, 1, "whole")
	for i := range 2 {
		c := want["path"].([][]any)[0][i].([]int)
		if int(b.Path[0][i]) != 3*c[0]+c[1] || int(b.Path[1][i]) != want["path"].([][]any)[1][i] ||
			b.Increments[1][i] != want["increments"].([][]float64)[1][i] {
			t.Errorf("batch %+v, want %v", b, want)
		}
	}
	if len(b.Path) != 3 || len(b.Increments) != 2 || !slices.Equal(b.XFirst, b.Path[0]) ||
		!slices.Equal(b.XLast, b.Path[2]) {
		t.Errorf("batch %+v", b)
	}
}

// badAnswers are the texts of answers to a request for two chains, each with what must be said
// about it.
func badAnswers() map[string]string {
	return map[string]string{
		`{"id":ID}`:                            "it sends none of log_w, x_first, x_last and path",
		`{"increments":[[1,2],[3,4]],"id":ID}`: "it sends none of log_w, x_first, x_last and path",
		`{"log_w":[1,2],"id":7}`:               "it answers request 1 with id 7",
		`{"log_w":[1,2]}`:                      "it answers request 1 with id 0",
		`{"log_w":[1],"id":ID}`: "log_w has 1 value for 2 chains; send one " +
			"value for each requested chain",
		`{"log_w":[1,2,3],"id":ID}`: "log_w has 3 values for 2 chains",
		`{"log_w":[],"id":ID}`:      "log_w has 0 values for 2 chains",
		`{"log_w":null,"id":ID}`: `log_w is "null"; write an array of 2 ` +
			`values, or omit the column`,
		`{"log_w":3,"id":ID}`:       `log_w is "3"; write an array of 2 values`,
		`{"log_w":{"a":1},"id":ID}`: "write an array of 2 values",
		`{"log_w":[1,null],"id":ID}`: `log_w[1] is "null"; write a number in ` +
			`nats, or "-Inf" or "+Inf" in quotes`,
		`{"log_w":[1,"NaN"],"id":ID}`: `log_w[1] is "\"NaN\""; write a number in nats`,
		`{"log_w":["2",1],"id":ID}`:   `log_w[0] is "\"2\""; write a number in nats`,
		`{"log_w":[1,1e999],"id":ID}`: "overflows a float64",
		`{"log_w":[1,[2]],"id":ID}`:   `log_w[1] is "[2]"; write a number in nats`,
		`{"log_w":[1,NaN],"id":ID}`: "log_w[1] is NaN, which is not a log " +
			"weight; find its cause",
		`{"x_first":[0,0],"log_w":[-Infinity,1]}`: `log_w[0] is -Infinity without quotes, ` +
			`which JSON does not have; write "-Inf" or "+Inf" in quotes`,
		`{"log_w":["-Inf", Infinity],"id":ID}`:   `log_w[1] is Infinity without quotes`,
		`{"increments":[[1,2],[3,inf]],"id":ID}`: `increments[1][1] is inf without quotes`,
		`{"x_last":[0,6],"id":ID}`: "x_last[1] is 6, which is outside 0..5 " +
			"(they are counted from 0); write the number of a state, from 0 to 5, without a fraction, or " +
			"its coordinates, from [0, 0] to [1, 2]",
		`{"x_last":[-1,0],"id":ID}`:           "x_last[0] is -1, which is outside 0..5; write",
		`{"x_last":[0,99999999999999999999]}`: "it answers request 1 with id 0",
		`{"x_last":[0,9999999999999999999],"id":1}`: `x_last[1] is "9999999999999999999"; ` +
			`write the number of a state`,
		`{"x_last":[0,3.0],"id":ID}`: `x_last[1] is "3.0"; write the number of ` +
			`a state, from 0 to 5, without a fraction`,
		`{"x_last":[0,1e0],"id":ID}`:     `x_last[1] is "1e0"; write the number of a state`,
		`{"x_last":[0,"3"],"id":ID}`:     `x_last[1] is "\"3\""; write the number of a state`,
		`{"x_last":[0,true],"id":ID}`:    `x_last[1] is "true"; write the number of a state`,
		`{"x_last":[0,[0,3]],"id":ID}`:   `x_last[1] is "[0,3]"; write the number of a state`,
		`{"x_last":[0,[0,1,0]],"id":ID}`: `x_last[1] is "[0,1,0]"; write the number of a state`,
		`{"x_last":[0,[1]],"id":ID}`:     `x_last[1] is "[1]"; write the number of a state`,
		`{"x_last":[[],0],"id":ID}`:      `x_last[0] is "[]"; write the number of a state`,
		`{"x_last":[[0,[1]],0],"id":ID}`: `x_last[0] is "[0,[1]]"; write the number of a state`,
		`{"x_last":[[0,1.0],0],"id":ID}`: `x_last[0] is "[0,1.0]"; write the number of a state`,
		`{"path":[[0,0],[0,0]],"id":ID}`: "path has 2 elements; write 3 arrays, one " +
			"for each stage t = 1..3, each with a value for each chain",
		`{"path":[[0,0],[0,0],[0]],"id":ID}`:   "path[2] has 1 value for 2 chains",
		`{"path":[0,0,0],"id":ID}`:             `path[0] is "0"; write an array of 2 values`,
		`{"path":7,"id":ID}`:                   `path is "7"; write 3 arrays`,
		`{"path":[[0,0],[0,9],[0,0]],"id":ID}`: "path[1][1] is 9, which is outside 0..5",
		`{"log_w":[1,2],"increments":[[1,2]],"id":1}`: "increments has 1 element; write 2 " +
			"arrays, one for each stage t = 2..3",
		`{"x_first":[0,1],"path":[[0,0],[0,0],[0,0]],"id":ID}`: "x_first[1] is 1, but the path of that " +
			"chain has state 0 at t = 1: send the path of the same chain",
		`{"x_last":[2,0],"path":[[0,0],[0,0],[0,0]],"id":ID}`: "x_last[0] is 2, but the path of that " +
			"chain has state 0 at t = 3",
		`{"unsupported":true,"log_w":[1,2],"id":ID}`: "it declares the direction unsupported, " +
			"but also sends columns",
		`{"unsupported":1,"id":ID}`: "is not understood",
		`{"logw":[1,2],"id":ID}`:    `unknown field "logw"`,
		`{"LOG_W":[1,2],"id":ID}`: `it has the unknown field "LOG_W"; write ` +
			`the names of fields as in PROTOCOL.md`,
		`{"log_w":[1,2],"log_w":[1,2],"id":ID}`: `it has the field "log_w" twice`,
		`{"log_w":[1,2],"id":ID} {}`:            "there is more than one value",
		`{"log_w":[1,2],"id":ID`:                "is not understood",
		`{"log_w":[1,2],"id":1.0}`:              `its field "id" must not hold a number 1.0`,
		`{"log_w":[1,2],"id":1` + strings.Repeat("0", 500) +
			`}`: `its field "id" must not hold a number 10000`,
		`[1,2]`: "it is a JSON array, but must be an object",
	}
}

// TestBadAnswers: each says what was found and what to write.
func TestBadAnswers(t *testing.T) {
	for text, want := range badAnswers() {
		s := &Sampler{space: six(), id: 1}
		b, err := s.readBatch([]byte(strings.ReplaceAll(text, "ID", "1")), chains.Forward, 2)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") ||
			len(err.Error()) > 600 || errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %+v, error %v, want one with %q", text, b, err, want)
		}
	}
}

// TestBadSamplers: each is a fault that names the program, the request, what was found and what to
// write. What is wrong with the first line is no fault: the command is none of a sampler.
func TestBadSamplers(t *testing.T) {
	for kind, want := range map[string]string{
		`{"log_w":[1,NaN],"id":ID}`: "log_w[1] is NaN, which is not a log weight",
		"mute":                      "asked for its first line: it did not answer within",
		"nameless":                  `its first line has no name; write {"sampler": "a name"}`,
		"kernel":                    `unknown field "kernel"`,
		"garbage":                   "asked for its first line: its line \"hello, world\" is not understood",
		"hang":                      "it did not answer within",
		"early":                     `(exit status 3); its last output on stderr: "the last words"`,
		"endless":                   "a line that does not end; the limit is 64 MB",
		"stages":                    "path has 2000001 elements; write 3 arrays",
	} {
		t.Run(kind, func(t *testing.T) {
			if !slices.Contains([]string{"garbage", "hang", "early"}, kind) {
				longtest.Only(t) // each is another process
			}
			t.Parallel()
			deadline := longtest.Patience
			if kind == "mute" || kind == "hang" {
				deadline = 100 * time.Millisecond // whatever it says until then, it falls silent
			}
			_, err := askTwo(t, kind, deadline)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("error %v, want one with %q", err, want)
			}
			_, unstarted := errors.AsType[StartError](err)
			if unstarted != strings.Contains(err.Error(), firstLine) || unstarted == chains.IsFault(err) ||
				!strings.Contains(err.Error(), os.Args[0]+" sampler") {
				t.Errorf("error %v is not a fault of the program's, or one of its start", err)
			}
			if !unstarted && !strings.Contains(err.Error(), "for 2 forward chains from seed 1 (request 1)") {
				t.Errorf("error %v does not name the request", err)
			}
		})
	}
}

// TestSamplerChangesItsMind: columns are the same in every answer, a direction does not vanish, and
// a line too many is not taken for the next answer. A program that went wrong is not asked again.
func TestSamplerChangesItsMind(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	s := longtest.Must(startSampler(t, "good", longtest.Patience))(t)
	s.sides[chains.Reverse] = side{asked: true, columns: draws.Columns{LogW: true, XFirst: true, XLast: true}}
	_, err := s.Ask(ctx, chains.Reverse, 2, 1)
	longtest.Refused(t, err, "it answers with the columns log_w and x_first, but its first answer in this "+
		"direction had log_w, x_first and x_last")
	if _, again := s.Ask(ctx, chains.Forward, 2, 1); again != err || s.id != 1 {
		t.Errorf("error %v after %d requests, want the first one", again, s.id)
	}
	s = longtest.Must(startSampler(t, "one way", longtest.Patience))(t)
	s.sides[chains.Reverse].asked = true
	_, err = s.Ask(ctx, chains.Reverse, 2, 1)
	longtest.Refused(t, err, "it declares reverse chains unsupported, but has sent some before")
	s = longtest.Must(startSampler(t, "twice", longtest.Patience))(t)
	_, one := s.Ask(ctx, chains.Forward, 2, 1)
	_, two := s.Ask(ctx, chains.Forward, 2, 2)
	if one != nil || two == nil || !strings.Contains(two.Error(), "it answers request 2 with id 1") {
		t.Errorf("errors %v and %v", one, two)
	}
}

// TestSamplerRequests: what no program can answer is refused before it is asked.
func TestSamplerRequests(t *testing.T) {
	s := longtest.Must(startSampler(t, "good", longtest.Patience))(t)
	ctx := context.Background()
	if _, err := s.Ask(ctx, chains.Forward, 0, 1); err == nil || chains.IsFault(err) {
		t.Errorf("no chains: %v", err)
	}
	if _, err := s.Ask(ctx, chains.Forward, 1, 1<<53); err == nil || chains.IsFault(err) ||
		!strings.Contains(err.Error(), "9007199254740992") {
		t.Errorf("a large seed: %v", err)
	}
	if _, err := s.Ask(ctx, chains.Forward, 1, 1<<53-1); err != nil {
		t.Errorf("the largest seed: %v", err)
	}
	if _, err := s.TrySeeds(ctx, chains.Forward, 1, 4, 4); err == nil {
		t.Error("one seed twice is not a test")
	}
	programs := NewPrograms(ctx, longtest.Patience)
	for _, words := range [][]string{nil, {""}} {
		longtest.Refuses(programs.StartSampler(words, six()))(t, "no command")
	}
	if _, err := programs.StartSampler([]string{"/no/such program"}, six()); err == nil ||
		chains.IsFault(err) ||
		!strings.Contains(err.Error(), "check the path") {
		t.Errorf("a missing program: %v", err)
	}
	programs.Close()
	if _, err := programs.StartSampler([]string{os.Args[0], "sampler", "good"}, six()); err == nil {
		t.Error("a sampler starts after all programs were ended")
	}
}

// TestSamplerEndsWithItsContext: a caller that waits for a batch need not wait for it to end, and
// no process or goroutine is left.
func TestSamplerEndsWithItsContext(t *testing.T) {
	s := longtest.Must(startSampler(t, "hang", time.Hour))(t)
	ctx, cancel := context.WithCancel(context.Background())
	said := &s.p.stderr
	go func() {
		defer cancel()
		eventually(func() bool { return said.String() != "" })
	}()
	if _, err := s.Ask(ctx, chains.Forward, 2, 1); !errors.Is(err, context.Canceled) || chains.IsFault(err) {
		t.Errorf("error %v", err)
	}
	if _, err := s.Ask(context.Background(), chains.Forward, 2, 1); err == nil || chains.IsFault(err) ||
		!strings.Contains(err.Error(), "in the middle of a batch") {
		t.Errorf("error %v", err)
	}
	s = longtest.Must(startSampler(t, "good", time.Hour))(t)
	if _, err := s.Ask(ctx, chains.Forward, 2, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	before := runtime.NumGoroutine()
	s.shut()
	if _, err := s.Ask(context.Background(), chains.Forward, 2, 1); err == nil || chains.IsFault(err) {
		t.Errorf("after its end: %v", err)
	}
	if !eventually(func() bool { return runtime.NumGoroutine() < before }) {
		t.Errorf("%d goroutines, and %d before the program was ended", runtime.NumGoroutine(), before)
	}
}

// TestSeedsOfSamplers: one stream for all batches is certain to be seen, a constant column is none,
// and a program that ignores the seed does not repeat.
func TestSeedsOfSamplers(t *testing.T) {
	longtest.Only(t)
	none := math.Inf(-1)
	for kind, want := range map[string]SeedTest{
		"good":    {Repeats: true, LogE: none},
		"no seed": {LogE: none},
		// log 20!, since no two rows are equal
		"one stream": {Repeats: true, Identical: true, LogE: 42.33561646075349},
		"constant":   {Repeats: true, Identical: true, LogE: 0},
	} {
		s := longtest.Must(startSampler(t, kind, longtest.Patience))(t)
		got, err := s.TrySeeds(context.Background(), chains.Forward, 20, 5, 6)
		if err != nil || got.Repeats != want.Repeats || got.Identical != want.Identical ||
			got.LogE != want.LogE && !(math.Abs(got.LogE-want.LogE) < 1e-12) {
			t.Errorf("%s: %+v, %v, want %+v", kind, got, err, want)
		}
	}
}

// TestIdenticalEValue: for independent rows of any distribution the e-value has expectation at most
// one. All pairs of batches of four rows on three values are walked through.
func TestIdenticalEValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Float64Range(1e-9, 1), 3, 3).Draw(t, "weights")
		total := weights[0] + weights[1] + weights[2]
		mean := 0.0
		for batch := range 81 { // the pairs that are not identical have the e-value zero
			p := 1.0
			rows := []string{}
			for i, rest := 0, batch; i < 4; i, rest = i+1, rest/3 {
				p *= weights[rest%3] / total
				rows = append(rows, strconv.Itoa(rest%3))
			}
			mean += p * p * math.Exp(identicalLogE(true, rows))
		}
		if mean > 1+1e-12 {
			t.Errorf("the e-value has expectation %v", mean)
		}
	})
	if got := math.Exp(identicalLogE(true, []string{"a", "b", "a", "c"})); math.Abs(got-12) > 1e-12 {
		t.Errorf("aabc has 12 orders, not %v", got)
	}
}

// TestDigits: the precision is that of the digits that are written.
func TestDigits(t *testing.T) {
	for text, want := range map[string]draws.Precision{
		`[1.5,-22.25]`: {Decimals: 2, Significant: 4}, `["-Inf",0.000123]`: {Decimals: 6, Significant: 3},
		`[ 1.234e-05 , 1 ]`: {Decimals: 8, Significant: 4}, `[1.25E+1, -3]`: {Decimals: 1, Significant: 3},
		`[0,0.0]`:                   {Decimals: 1},
		`[-1.0323480986823714]`:     {Decimals: 16, Significant: 17},
		`[[1.5,2.25],["+Inf",100]]`: {Decimals: 2, Significant: 3},
	} {
		a := answer{Increments: json.RawMessage(text)}
		if got := a.precision(); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestMostChains: that many chains fit into a line however long their numbers are, and twice as
// many need not.
func TestMostChains(t *testing.T) {
	s := &Sampler{space: draws.Space{States: 1 << 30, Sides: []int{1 << 15, 1 << 15}, Distributions: 100}}
	n := s.MostChains(chains.Forward)
	float := len(`-2.2250738585072014e-308, `)
	state := len(`[32767, 32767], `)
	long := (101*state+100*float)*n + 202*len(`[], `) +
		len(`{"log_w": , "x_first": , "x_last": , "path": , "increments": , "id": 2147483647}`)
	if long > maxBatchLine || 2*long < maxBatchLine {
		t.Errorf("%d chains in at most %d bytes of %d", n, long, maxBatchLine)
	}
	s.sides[chains.Reverse] = side{asked: true, columns: draws.Columns{LogW: true}}
	if n := s.MostChains(chains.Reverse); n < 2_000_000 {
		t.Errorf("%d log weights", n)
	}
	s.space.Distributions = math.MaxInt32
	if n := s.MostChains(chains.Forward); n != 1 {
		t.Errorf("%d chains with paths of two billion states", n)
	}
}

// FuzzAnswer: whatever a program says is a batch of the space or an error, and never a panic.
func FuzzAnswer(f *testing.F) {
	for text := range badAnswers() {
		f.Add(strings.ReplaceAll(text, "ID", "1"))
	}
	f.Add(` "\Infinity`) // what is not understood stands in a string that does not end
	f.Add(`{"log_w":["-Inf", 1.5e-3],"path":[[0,[1,2]],[1,1],[2,3]],"increments":[[1,2],["Infinity",0]],"id":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		var a answer
		if err := decodeStrictly([]byte(text), &a); err != nil {
			_ = explain([]byte(text), err)
			return
		}
		b, err := a.batch(six(), 2)
		if err != nil {
			return
		}
		_ = a.precision()
		for _, c := range append([][]int32{b.XFirst, b.XLast}, b.Path...) {
			if c != nil && (len(c) != 2 || min(c[0], c[1]) < 0 || max(c[0], c[1]) > 5) {
				t.Errorf("states %v", c)
			}
		}
		for _, c := range append([][]float64{b.LogW}, b.Increments...) {
			if c != nil &&
				(len(c) != 2 || math.IsNaN(c[0]+0*c[1]) && !math.IsInf(c[0], 0) && !math.IsInf(c[1], 0)) {
				t.Errorf("log weights %v", c)
			}
		}
	})
}

// TestWords: arguments with blanks stay whole, and are shown in quotes.
func TestWords(t *testing.T) {
	c, err := joinCommand([]string{"python3", "my ais.py", "", "-n"})
	if err != nil || c.text != `python3 "my ais.py" "" -n` || len(c.words) != 4 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestSplitWords: a command has the words that a shell gives it, or those of a JSON array. On
// Windows a backslash is itself.
func TestSplitWords(t *testing.T) {
	for _, c := range []struct {
		text    string
		windows bool
		want    []string // none: refused
	}{
		{" python3  k.py -n 3 ", false, []string{"python3", "k.py", "-n", "3"}},
		{`python3 'sp ace/k.py' ""`, false, []string{"python3", "sp ace/k.py", ""}},
		{`python3 "sp ace/k.py"`, true, []string{"python3", "sp ace/k.py"}},
		{`python3 sp\ ace/k.py`, false, []string{"python3", "sp ace/k.py"}},
		{`python3 "it's"`, false, []string{"python3", "it's"}},
		{`["python3", "sp ace/k.py"]`, false, []string{"python3", "sp ace/k.py"}},
		{`"C:\Program Files\Python\python.exe" C:\x\k.py`, true,
			[]string{`C:\Program Files\Python\python.exe`, `C:\x\k.py`}},
		{`'C:\Program Files\p.exe' "\\host\it's"`, true, []string{`C:\Program Files\p.exe`, `\\host\it's`}},
		{`python3 'k.py`, false, nil},
		{`python3 it's.py`, true, nil},
		{`["python3", 3]`, false, nil},
		{`["python3"`, false, nil},
	} {
		got, err := splitWords(c.text, c.windows)
		if !slices.Equal(got, c.want) && c.want != nil || (err != nil) != (c.want == nil) {
			t.Errorf("%s: %q, %v", c.text, got, err)
		}
	}
	for text, want := range map[string]string{
		"exec:go  version": "exec:go version", `exec:go 'a b'`: `exec:["go","a b"]`,
		`exec:["go", "a b"]`: `exec:["go","a b"]`, `exec:["go"]`: "exec:go",
	} {
		if got, _, err := ProgramSelector(text); got != want || err != nil {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
}
