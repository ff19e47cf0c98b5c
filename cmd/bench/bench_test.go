package bench_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/cmd/bench"
	"breadboard/cmd/catalogue"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/reports/table"
)

// start serves a bench until the test ends, and returns the beginning of its addresses.
func start(t *testing.T, o bench.Options) string {
	t.Helper()
	o.Studies = catalogue.Studies()
	return bench.Listen(t, bench.New(o))
}

// get returns the status and the body of an answer.
func get(t *testing.T, address string) (int, []byte) {
	t.Helper()
	r := longtest.Must(http.Get(address))(t)
	defer r.Body.Close()
	body := longtest.Must(io.ReadAll(r.Body))(t)
	return r.StatusCode, body
}

// answer is what the routes of studies answer.
type answer struct {
	Question map[string]any
	Rows     json.RawMessage
	Notes    []string
	Figures  []struct{ Name, SVG string }
	Command  string
	Go       string
	Error    string
	Frames   []struct {
		Stage               int
		Beta                float64
		P, Forward, Reverse []float64
		Law                 []float64
	}
}

// ask returns an answer that must be there.
func ask(t *testing.T, address string) answer {
	t.Helper()
	status, body := get(t, address)
	var a answer
	if err := json.Unmarshal(body, &a); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d, %v: %s", address, status, err, body)
	}
	return a
}

// cases returns an annealing as the commands build it.
func cases(t *testing.T, toy string, T ...int) []subject.Case {
	t.Helper()
	return longtest.Must(subject.Selection{Reader: forms.Reader(),
		Toys: []string{toy}, Distributions: T, Path: "geometric", Schedule: "linear",
		Kernel: "metropolis"}.Cases(t.Context()))(t)
}

// TestCanonicalQuestion: what was left out is in the answer's question, and what was written in
// another way is written in one.
func TestCanonicalQuestion(t *testing.T) {
	at := start(t, bench.Options{})
	a := ask(t, at+"/api/solve?T=1e2&kernel=lazy:.5&schedule=power:2.0")
	want := map[string]any{"toy": "barrier", "T": 100.0, "path": "geometric", "initial": "uniform",
		"schedule": "power:2", "kernel": "lazy:0.5:metropolis"}
	if !reflect.DeepEqual(a.Question, want) {
		t.Errorf("question %v, want %v", a.Question, want)
	}
	if want := "breadboard tightness --toy barrier --schedule power:2 --kernel lazy:0.5:metropolis -T 100"; a.Command !=
		want {
		t.Errorf("command %q, want %q", a.Command, want)
	}
	a = ask(t, at+"/api/solve?"+url.Values{"toy": {"mixture:0.5*easy+0.5*hard"}, "T": {"10"}}.Encode())
	if want := "breadboard tightness --toy 'mixture:0.5*easy+0.5*hard' -T 10"; a.Command != want {
		t.Errorf("command %q, want %q", a.Command, want)
	}
	a = ask(t, at+"/api/solve?toy=easy&schedule=cess:0.9&T=1000")
	if want := "breadboard tightness --toy easy --schedule cess:0.9"; a.Command != want ||
		a.Question["T"] != 7.0 {
		t.Errorf("a schedule with a T of its own: %q, %v", a.Command, a.Question)
	}
}

// TestTarget: the numbers are those of the toy, zeros among them.
func TestTarget(t *testing.T) {
	at := start(t, bench.Options{})
	_, body := get(t, at+"/api/target?toy=cells:0:-inf/1:2")
	var got struct {
		Rows, Columns, States int
		Lattice               bool
		G                     []any
		P, Initial            []float64
		Cells                 string
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err, string(body))
	}
	if got.Rows != 2 || got.Columns != 2 || got.States != 4 || !got.Lattice ||
		got.Cells != "cells:0:-Inf/1:2" || got.G[1] != "-Inf" ||
		got.G[3] != 2.0 || got.P[1] != 0 {
		t.Errorf("%s", body)
	}
	for toy, want := range map[string]string{ // a short line is painted as one row, and a long one is not
		"cells:0:1:2":   `"states":3,"lattice":true,"rows":1,"columns":3,"labels":[]`,
		"random:2:0:26": `"states":26,"lattice":false,"rows":1,"columns":26,"labels":["0",`,
	} {
		if _, body := get(t, at+"/api/target?toy="+toy); !strings.Contains(string(body), want) {
			t.Errorf("%s: %s", toy, body)
		}
	}
	p := cases(t, "cells:0:-inf/1:2", 2)[0].Toy.G
	chains.Normalize(p)
	if !reflect.DeepEqual(got.P, p) || !reflect.DeepEqual(got.Initial, []float64{0.25, 0.25, 0.25, 0.25}) {
		t.Errorf("%s, want p %v", body, p)
	}
}

// TestFrames: the distributions are those of the library, to the last bit.
func TestFrames(t *testing.T) {
	at := start(t, bench.Options{})
	a := ask(t, at+"/api/frames?toy=easy&T=30&count=4")
	want := longtest.Must(stages.Marginals(t.Context(), cases(t, "easy", 30)[0].Annealing(), []int{1, 11, 20, 30}))(t)
	for i, w := range want {
		f := a.Frames[i]
		if f.Stage != w.Stage || f.Beta != w.Beta || !reflect.DeepEqual(f.P, w.P) ||
			!reflect.DeepEqual(f.Forward, w.Forward) ||
			!reflect.DeepEqual(f.Reverse, w.Reverse) {
			t.Errorf("stage %d: %v, want %v", w.Stage, f, w)
		}
	}
	a = ask(t, at+"/api/follow?toy=easy&T=30&stage=10&state=3&stages=1,10,30")
	laws := longtest.Must(stages.Follow(
		t.Context(),
		cases(t, "easy", 30)[0].Annealing(),
		chains.Forward,
		10,
		3,
		[]int{1, 10, 30},
	))(t)
	for i, w := range laws {
		if f := a.Frames[i]; f.Stage != w.Stage || !reflect.DeepEqual(f.Law, w.Law) {
			t.Errorf("followed at stage %d: %v, want %v", w.Stage, f, w)
		}
	}
}

// TestDownloads: tables and figures are the files that the commands write.
func TestDownloads(t *testing.T) {
	longtest.Only(t)
	at := start(t, bench.Options{})
	rows := longtest.Must(study.Run(
		t.Context(),
		tightness.Study(),
		cases(t, "easy", 10, 30),
		tightness.Options{},
		study.How{},
	))(t)
	report := tightness.Report(rows)
	for _, f := range []table.Format{table.CSV, table.JSON} {
		var want bytes.Buffer
		longtest.NoError(t, report.Tables()[0].In(f).Write(&want, f))
		if status, got := get(t, at+"/api/curve"+f.Extension()+"?toy=easy&Ts=10,30"); status != 200 ||
			string(got) != want.String() {
			t.Errorf("%s: %d, %s\nwant\n%s", f, status, got, want.String())
		}
	}
	drawn := longtest.Must(report.Figures()[0].Draw())(t)
	for _, format := range []string{"svg", "png", "pdf"} {
		want := longtest.Must(drawn.Encode(format))(t)
		r := longtest.Must(http.Get(at + "/api/curve." + format + "?toy=easy&Ts=10,30&figure=" + drawn.Name))(t)
		got, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || !bytes.Equal(got, want) ||
			r.Header.Get("Content-Disposition") != `attachment; filename="breadboard_curve_`+
				drawn.Name+"."+format+`"` {
			t.Errorf("%s: %v, %d bytes, want %d; %v", format, err, len(got), len(want), r.Header)
		}
	}
	for query, status := range map[string]int{
		"&figure=none": 400, "&width=3.25in": 200, "&width=3.25": 400, "&width=1mm": 400} {
		if got, body := get(t, at+"/api/curve.svg?toy=easy&Ts=10,30"+query); got != status {
			t.Errorf("%s: %d, want %d: %s", query, got, status, body)
		}
	}
	for width, stacked := range map[string]bool{"": false, "&width=3.5in": true} {
		// the panels of an answer stand above one another where it is to be narrow
		status, body := get(t, at+"/api/gap?toy=easy&T=10"+width)
		var answer struct{ Figures []struct{ SVG string } }
		longtest.NoError(t, json.Unmarshal(body, &answer))
		if status != 200 || len(answer.Figures) == 0 {
			t.Fatalf("gap%s: %d, no figure in %.300s", width, status, body)
		}
		size := regexp.MustCompile(`<svg[^>]*? width="([\d.]+)pt" height="([\d.]+)pt"`).FindStringSubmatch(answer.Figures[0].SVG)
		wide := longtest.Must(strconv.ParseFloat(size[1], 64))(t)
		high := longtest.Must(strconv.ParseFloat(size[2], 64))(t)
		if (2*high > wide) != stacked || (wide == 252) != stacked {
			t.Errorf("gap%s: a figure %v wide and %v high", width, wide, high)
		}
	}
	if got, body := get(t, at+"/api/gap?toy=easy&T=10&width=3"); got != 400 {
		t.Errorf("a width without a unit: %d, %s", got, body)
	}
}

// TestFile: a file becomes cells, and what is wrong with one is said with line and column.
func TestFile(t *testing.T) {
	at := start(t, bench.Options{})
	for _, c := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"a.csv", "0,1,2\n3,4,-Inf\n", 200,
			`{"toy":"cells:0:1:2/3:4:-Inf","rows":2,"columns":3,"shape":"the first line, 0,1,2, is taken as a row`},
		{"a.csv", "0.25,0\n0.25,0.5\n", 200,
			`"note":"the numbers are from 0 to 1 and sum to 1, as probabilities do, and are taken as log ` +
				`f","as_probabilities":"cells:-1.3862943611198906:-Inf/-1.3862943611198906:-0.6931471805599453"}`},
		{"a.csv", "0.25,0\n0.25,0.4\n", 200, `"columns":2}`},
		{"a.csv", "0,1,2\n", 200, `{"toy":"cells:0:1:2","rows":1,"columns":3}`},
		{"a.csv", "0\n1\n2\n", 200,
			`{"toy":"cells:0:1:2","rows":1,"columns":3,"shape":"the file has the shape 3x1 and is taken ` +
				`as a line of 3, since axes of length one are dropped"}`},
		{"a.npy", string(numpy.Floats([]float64{0, 1, 2, 3}, 2, 2, 1)), 200,
			`{"toy":"cells:0:1/2:3","rows":2,"columns":2,"shape":"the file has the shape 2x2x1 and is taken as 2x2`},
		{"a.csv", "x,y,lp\n1,5,-1\n1,6,-2\n2,5,0\n2,6,-3\n", 200,
			`{"toy":"cells:-1:-2/0:-3","rows":2,"columns":2,"shape":"it has g = log f (lp) at values of x, y"}`},
		{"a.json", `[{"x":1,"lp":0},{"x":3,"lp":-1}]`, 200,
			`{"toy":"cells:0:-1","rows":1,"columns":2,"shape":"it has g = log f (lp) at values of x"}`},
		{"a.csv", "0,1,2\n3,x,5\n", 400, "line 2, column 2"},
		{"a.csv", "", 400, "empty"},
		{"a.npy", "junk", 400, ""},
		{"a.exe", "0", 400, "endings"},
		{"a.npz", "0", 400, "endings"},
		{"a.csv", strings.Repeat("1,", 700) + "1\n", 400, "625"},
	} {
		r := longtest.Must(
			http.Post(at+"/api/file?name="+c.name, "application/octet-stream", strings.NewReader(c.body)),
		)(t)
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%s %.20q: %d %s, want %d %s", c.name, c.body, r.StatusCode, body, c.status, c.want)
		}
	}
}

// event is one of an answer that comes in parts.
type event struct{ name, data string }

// eventsOf takes such an answer apart.
func eventsOf(t *testing.T, body []byte) (list []event) {
	t.Helper()
	for text := range strings.SplitSeq(strings.TrimSpace(string(body)), "\n\n") {
		head, data, _ := strings.Cut(text, "\n")
		name, isEvent := strings.CutPrefix(head, "event: ")
		data, hasData := strings.CutPrefix(data, "data: ")
		if !isEvent || !hasData || !json.Valid([]byte(data)) {
			t.Fatalf("no event: %q", text)
		}
		list = append(list, event{name, data})
	}
	return list
}

// read fills a value from the data of an event.
func (e event) read(t *testing.T, to any) {
	t.Helper()
	longtest.NoError(t, json.Unmarshal([]byte(e.data), to))
}

// TestOptimizeStreams: the events come in their order, and the schedule at the end is what it is
// said to be.
func TestOptimizeStreams(t *testing.T) {
	at := start(t, bench.Options{})
	_, body := get(t, at+"/api/optimize?toy=barrier:3x3&T=5&objective=J")
	list := eventsOf(t, body)
	n := len(list)
	if n < 3 || list[0].name != "progress" || list[n-2].name != "best" || list[n-1].name != "done" {
		t.Fatalf("events %v", list)
	}
	var best struct {
		Schedule string
		J, B     float64
		Before   struct{ J float64 }
	}
	list[n-2].read(t, &best)
	cases := longtest.Must(subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier:3x3"},
		Distributions: []int{5},
		Path:          "geometric",
		Schedule:      best.Schedule,
		Kernel:        "metropolis",
	}.Cases(t.Context()))(t)
	solution, err := exact.Solve(t.Context(), cases[0].Annealing(), exact.Options{})
	if err != nil || solution.J != best.J || solution.B != best.B || !(best.J < best.Before.J) {
		t.Errorf("best %+v, solved %v %v, %v", best, solution.J, solution.B, err)
	}
}

// TestChainsStream: the estimates at the end are those of the command ais with the same seed, and
// so are the ways of the first chains.
func TestChainsStream(t *testing.T) {
	at := start(t, bench.Options{})
	_, body := get(t, at+"/api/chains?toy=easy&T=10&chains=500&seed=7&show=3&stages=1,10")
	rows := longtest.Must(study.Run(
		t.Context(),
		ais.Study(),
		cases(t, "easy", 10),
		ais.Options{Chains: 500, Seed: 7},
		study.How{},
	))(t)
	var last, figure event
	var ways int
	for _, e := range eventsOf(t, body) {
		switch e.name {
		case "path":
			var way struct {
				Chain     int
				Direction string
				States    []int32
				LogW      float64 `json:"log_w"`
			}
			e.read(t, &way)
			runs := rows[0].Forward
			if way.Direction == "reverse" {
				runs = rows[0].Reverse
			}
			if way.States[0] != runs.First[way.Chain] || way.States[1] != runs.Last[way.Chain] ||
				way.LogW != runs.LogW[way.Chain] {
				t.Errorf("the way of chain %d, %s: %+v", way.Chain, way.Direction, way)
			}
			ways++
		case "estimates":
			last = e
		case "figure":
			figure = e
		}
	}
	if ways != 6 {
		t.Errorf("%d ways", ways)
	}
	var drawn struct{ Name, SVG string }
	figure.read(t, &drawn)
	if drawn.Name != "running_easy_T10" || !strings.HasPrefix(drawn.SVG, "<?xml") {
		t.Errorf("the figure is called %q and begins with %.20q", drawn.Name, drawn.SVG)
	}
	var end struct {
		N    int
		Rows []struct {
			Name            string
			Estimate, Exact any
			E               any `json:"e_value"`
		}
		Tests []struct {
			Test  string
			Draws int
			LogE  float64 `json:"log_e"`
			Fault bool
		}
	}
	last.read(t, &end)
	if end.N != 500 || len(end.Rows) != len(rows[0].Quantities) || len(end.Tests) == 0 ||
		end.Rows[0].E == nil || end.Rows[1].E == nil {
		t.Fatalf("%+v", end)
	}
	for i, q := range rows[0].Quantities {
		if got := end.Rows[i]; got.Name != q.Name || got.Estimate != any(q.Estimate) ||
			got.Exact != any(q.Exact) {
			t.Errorf("%+v, want %+v", got, q)
		}
	}
	laws := longtest.Must(annealed.NewEndLaws(t.Context(), cases(t, "easy", 10)[0].Annealing()))(t)
	tests := longtest.Must(annealed.NewRunning(laws, check.DefaultAlpha))(t)
	tests.Add(rows[0].Forward, rows[0].Reverse)
	for i, want := range tests.EValues() {
		if got := end.Tests[i]; got.Test != want.Test || got.Draws != want.Draws ||
			math.Abs(got.LogE-want.LogE) > 1e-9*(1+math.Abs(want.LogE)) ||
			got.Fault != want.Fault {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestChainsOnManyStates: how many stages are shown depends on the chains that are, and not on the
// states between which they move.
func TestChainsOnManyStates(t *testing.T) {
	limits := bench.DefaultLimits()
	limits.Numbers = 500 // ten for each of 49 states
	at := start(t, bench.Options{Limits: limits})
	status, body := get(t, at+"/api/chains?T=60&chains=10&show=10&count=50")
	states := regexp.MustCompile(`"states":\[([^\]]*)\]`).FindSubmatch(body)
	if status != http.StatusOK || states == nil || strings.Count(string(states[1]), ",") != 49 {
		t.Errorf("%d %.300s", status, body)
	}
	refused(t, at+"/api/chains?T=1000&chains=1000&show=10&count=500", "count", "at most 50 stages")
}

// TestSchedule: the betas are those of the annealing, and the curve to drag goes through them.
func TestSchedule(t *testing.T) {
	at := start(t, bench.Options{})
	_, body := get(t, at+"/api/schedule?T=9&schedule=power:2")
	var got struct {
		Rows []struct {
			T    int
			Beta float64
		}
		Curve string
	}
	if err := json.Unmarshal(body, &got); err != nil || len(got.Rows) != 9 {
		t.Fatal(err, string(body))
	}
	list := longtest.Must(subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier"},
		Distributions: []int{9},
		Path:          "geometric",
		Schedule:      got.Curve,
		Kernel:        "metropolis",
	}.Cases(t.Context()))(t)
	for i, r := range got.Rows {
		if want := float64(i) * float64(i) / 64; r.T != i+1 || r.Beta != want ||
			list[0].Annealing().Beta(r.T) != want {
			t.Errorf("%+v, want %v", r, want)
		}
	}
	// With T = 11 the second of nine points stands a quarter of the way from the second stage to
	// the third, at betas of 0.01 and 0.04.
	if _, body := get(t, at+"/api/schedule?T=11&schedule=power:2"); json.Unmarshal(body, &got) != nil ||
		!strings.HasPrefix(got.Curve, "curve:0:0.0175") {
		t.Errorf("the curve is %s", got.Curve)
	}
	if _, body := get(t, at+"/api/schedule?T=100000"); json.Unmarshal(body, &got) != nil ||
		len(got.Rows) != 1001 || got.Rows[1000].T != 100000 {
		t.Errorf("%d rows", len(got.Rows))
	}
}

// refused checks that a question is refused, about a parameter, with a message.
func refused(t *testing.T, address, parameter, message string) {
	t.Helper()
	got, body := get(t, address)
	var a struct{ Error, Hint, Parameter string }
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%.200s: %d %v: %s", address, got, err, body)
	}
	if got != http.StatusBadRequest || a.Parameter != parameter || !strings.Contains(errs.Join(a.Error, a.Hint), message) ||
		a.Error == "" {
		t.Errorf("%.200s: %d %q about %q, want %q about %q", address, got, a.Error, a.Parameter,
			message, parameter)
	}
}

// TestRefusals: what cannot be answered is refused with the parameter that is to blame.
func TestRefusals(t *testing.T) {
	at := start(t, bench.Options{}) + "/api/"
	for _, c := range []struct{ query, parameter, message string }{
		{"solve?T=1e18", "T", "is not a whole number from 2 to 1e6"},
		{"solve?T=-5", "T", "whole number"},
		{"solve?T=2.5", "T", "whole number"},
		{"solve?T=2&T=3", "T", "given 2 times"},
		{"solve?t=2", "t", "unknown parameter"},
		{"solve?T=%zz", "", "cannot be read"},
		{"solve?toy=schools:3000x3000", "toy", "9e+06 states"},
		{"solve?toy=random:2:0:1000x1000", "toy", "1e+06 states"},
		{"solve?toy=graph:complete:1000000:random:1:1", "toy", "1e+06 states"},
		{"solve?toy=ising:9x9:1", "toy", "states"},
		{"solve?toy=cells:" + strings.Repeat("1:", 800) + "1", "toy", "at most 625"},
		{"solve?toy=nothing", "toy", "unknown toy"},
		{"solve?kernel=nothing", "kernel", "unknown kernel"},
		{"solve?kernel=lazy:2", "kernel", "lazy"},
		{"solve?kernel=exec:ls", "kernel", "programs cannot be run here"},
		{"solve?path=nothing", "path", "unknown path"},
		{"solve?schedule=nothing", "schedule", "unknown schedule"},
		{"solve?schedule=curve:0:2:1", "schedule", "curve"},
		{"solve?initial=nothing", "initial", "unknown initial"},
		{"solve?initial=prior", "initial", "no prior"},
		{"solve?toy=random:2:0:4096&kernel=heatbath", "kernel", "MB"},
		{"gap?T=100000", "T", "a row for each stage"},
		{"curve?Ts=1,2", "Ts", "whole number"},
		{"curve?Ts=" + strings.Repeat("5,", 100) + "5", "Ts", "101 numbers"},
		{"curve?schedule=cess:0.9", "schedule", "no curve"},
		{"curve.png?width=100in&T=10", "width", "up to 20 in wide"},
		{"law?frequencies=4000000&T=10", "frequencies", "take fewer frequencies"},
		{"samples?samples=0", "samples", "whole number"},
		{"spectrum?betas=1e9", "betas", "whole number"},
		{"frames?count=1000000", "count", "whole number"},
		{"frames?count=5000", "count", "at most"},
		{"frames?stages=0", "stages", "whole number"},
		{"follow?stage=1", "state", "give the state"},
		{"follow?stage=1&state=49", "state", "whole number"},
		{"optimize?objective=x", "objective", "unknown objective"},
		{"optimize?toy=barrier:3x3&T=5000", "T", "4096"},
		{"gap?T=20&columns=none", "columns", "unknown column"},
		{"gap?T=20000&toy=cells:" + strings.Repeat("0.1234567890123:", 300) + "1", "columns",
			"too long an answer"},
		{"solve?samples=1", "samples", "unknown parameter"},
	} {
		refused(t, at+c.query, c.parameter, c.message)
	}
	refused(t, at+"solve?kernel="+strings.Repeat("lazy:0.5:", 5000)+"metropolis", "kernel",
		"has 5000 selectors with others within; at most 100 are read")
	for _, level := range []string{"quotient:neighbours:", "quotient:a+b:", "quotient:neighbours:1e+3:",
		"mixture:0.5*quotient:neighbours:", "mixture:0.5*"} {
		refused(t, at+"solve?toy="+url.QueryEscape(strings.Repeat(level, 3000))+"easy",
			"toy", "at most 100 are read")
	}
	if longtest.Enabled() { // it is looked at how many would be needed
		refused(t, at+"solve?schedule=cess:0.99999999999999&toy=cells:0:9", "schedule",
			"this takes more than 100000 distributions")
	}
}

// TestNoFileIsRead: whatever a selector is made of, a file in it is refused before its presence is
// tested.
func TestNoFileIsRead(t *testing.T) {
	at := start(t, bench.Options{}) + "/api/solve?"
	const file = "/nowhere/canary.csv"
	for parameter, selectors := range map[string][]string{
		"toy": {
			"file:" + file, "prob:" + file, "model:" + file, "x=file:" + file,
			"mixture:0.5*file:" + file + "+0.5*easy", "mixture:1*easy+1*prob:" + file,
			"a=mixture:1*easy+1*model:" + file, "graph:" + file + ":random:1:1", "graph:" + file + ":" + file,
			"graph:path:5:" + file, "graph:path:5:prob:" +
				file, " file:" + file,
			"mixture:1*graph:" + file + ":random:1:1+1*easy", "file:" + file + "#key",
		},
		"initial": {"file:" + file, "prob:" + file}, "path": {"via:" + file, "via:0.5:" + file},
		"schedule": {"file:" + file}, "kernel": {"matrix:" + file, "matrix:/nowhere/{t}.npy"},
	} {
		for _, text := range selectors {
			refused(t, at+url.Values{parameter: {text}}.Encode(), parameter, "the bench reads none")
		}
	}
	_, body := get(t, strings.TrimSuffix(at, "solve?")+"catalog")
	for _, word := range []string{"PATH", "COMMAND"} {
		if strings.Contains(string(body), word+`"`) {
			t.Errorf("the catalogue offers a %s: %s", word, body)
		}
	}
}
