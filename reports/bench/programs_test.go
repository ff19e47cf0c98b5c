package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"log"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/annealing/weights"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/bench"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/checks"
)

// TestPrograms: the programs in Go of all answers are the functions below with their imports, so
// that they compile, and they print the numbers of the answers. Two of them stand there whole; the
// others begin as solveProgram does, with another selection.
func TestPrograms(t *testing.T) {
	longtest.Only(t)
	compiled, bodies := parsed(t, longtest.Must(os.ReadFile("programs_test.go"))(t))
	at := start(t, bench.Options{})
	const selected = "\tcases, err := selection.Cases(ctx)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
	beginning, _, _ := strings.Cut(bodies["solveProgram"], selected)
	for query, c := range map[string]struct {
		distributions []int
		rest          func(context.Context, []subject.Case)
		whole         func()
	}{
		"solve?toy=barrier:3x3&T=20&schedule=sigmoid": {whole: solveProgram},
		"gap?toy=easy&schedule=cess:0.9":              {whole: gapProgram},
		"curve?toy=barrier:3x3&Ts=5,10":               {distributions: []int{5, 10}, rest: curveProgram},
		"law?toy=barrier:3x3&T=5":                     {distributions: []int{5}, rest: lawProgram},
		"samples?toy=barrier:3x3&T=5&samples=1,2":     {distributions: []int{5}, rest: samplesProgram},
		"spectrum?toy=barrier:3x3&betas=2":            {distributions: []int{100}, rest: spectrumProgram},
		"schedule?toy=barrier:3x3&T=5":                {distributions: []int{5}, rest: scheduleProgram},
	} {
		a := ask(t, at+"/api/"+query)
		if formatted, err := format.Source([]byte(a.Go)); err != nil || string(formatted) != a.Go {
			t.Errorf("%s: the program is not formatted: %v\n%s", query, err, a.Go)
			continue
		}
		name, _, _ := strings.Cut(query, "?")
		imports, functions := parsed(t, []byte(a.Go))
		body, want, run := functions["main"], bodies[name+"Program"], c.whole
		if run == nil {
			lengths := fmt.Sprintf("%#v", c.distributions)
			want = strings.NewReplacer("[]int{20}", lengths, "sigmoid:4", "linear").Replace(beginning) + selected + strings.TrimPrefix(want, "{\n")
			run = func() { c.rest(t.Context(), cases(t, "barrier:3x3", c.distributions...)) }
		}
		if body != want {
			t.Errorf("%s: the program is\n%s\nwant\n%s", query, body, want)
		}
		for _, from := range compiled {
			if used := regexp.MustCompile(`\b` + path.Base(from) + `\.`).MatchString(body); used != slices.Contains(imports, from) {
				t.Errorf("%s: %s is imported or used, and not both:\n%s", query, from, a.Go)
			}
		}
		samePrinted(t, query, a.Rows, printed(t, run))
	}
}

// parsed returns the imports of a file in Go, and the texts of its functions by their names.
func parsed(t *testing.T, source []byte) (imports []string, functions map[string]string) {
	t.Helper()
	files := token.NewFileSet()
	f := longtest.Must(parser.ParseFile(files, "", source, parser.SkipObjectResolution))(t)
	for _, i := range f.Imports {
		imports = append(imports, strings.Trim(i.Path.Value, `"`))
	}
	functions = map[string]string{}
	for _, d := range f.Decls {
		if is, ok := d.(*ast.FuncDecl); ok {
			functions[is.Name.Name] = string(source[files.Position(is.Body.Pos()).Offset:files.Position(is.Body.End()).Offset])
		}
	}
	return imports, functions
}

// printed returns what a program prints.
func printed(t *testing.T, program func()) []byte {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	all := make(chan []byte)
	go func() {
		text, _ := io.ReadAll(r) // what is missing is missed where it is compared
		all <- text
	}()
	before := os.Stdout
	os.Stdout = w
	defer func() { os.Stdout = before }()
	program()
	w.Close()
	return <-all
}

// samePrinted compares the rows of an answer with what its program prints: that of solve a
// sentence, and the others rows with at least these columns.
func samePrinted(t *testing.T, query string, rows json.RawMessage, text []byte) {
	t.Helper()
	var want, got []map[string]any
	longtest.NoError(t, json.Unmarshal(rows, &want))
	if strings.HasPrefix(query, "solve") {
		if want := fmt.Sprintf("J = %v nats, B = %v nats\n", want[0]["J"], want[0]["B"]); string(text) != want {
			t.Errorf("%s: the program prints %s, want %s", query, text, want)
		}
		return
	}
	if err := json.Unmarshal(text, &got); err != nil || len(got) != len(want) {
		t.Fatalf("%s: the program prints %s, %v, want %s", query, text, err, rows)
	}
	for i, row := range want {
		for name, cell := range row {
			if got[i][name] != cell {
				t.Errorf("%s: the program prints %v in row %d as %s, want %v", query, got[i][name], i, name, cell)
			}
		}
	}
}

func solveProgram() {
	ctx := context.Background()
	selection := subject.Selection{
		Toys:          []string{"barrier:3x3"},
		Distributions: []int{20},
		Path:          "geometric",
		Initial:       "uniform",
		Schedule:      "sigmoid:4",
		Kernel:        "metropolis",
	}
	cases, err := selection.Cases(ctx)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := study.Run(ctx, tightness.Study(), cases, tightness.Options{}, study.How{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("J = %v nats, B = %v nats\n", r.J, r.B)
	}
}

func gapProgram() {
	ctx := context.Background()
	selection := subject.Selection{
		Toys:     []string{"easy"},
		Path:     "geometric",
		Initial:  "uniform",
		Schedule: "cess:0.9",
		Kernel:   "metropolis",
	}
	cases, err := selection.Cases(ctx)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := study.Run(ctx, gap.Study(), cases, study.NoOptions{}, study.How{})
	if err != nil {
		log.Fatal(err)
	}
	if err := annealing.GapReport(rows).Tables()[0].In(table.JSON).Write(os.Stdout, table.JSON); err != nil {
		log.Fatal(err)
	}
}

func curveProgram(ctx context.Context, cases []subject.Case) {
	rows, err := study.Run(ctx, tightness.Study(), cases, tightness.Options{}, study.How{})
	if err != nil {
		log.Fatal(err)
	}
	if err := annealing.TightnessReport(rows).Tables()[0].In(table.JSON).Write(os.Stdout, table.JSON); err != nil {
		log.Fatal(err)
	}
}

func lawProgram(ctx context.Context, cases []subject.Case) {
	rows, err := study.Run(ctx, weights.Laws(), cases, weights.Options{Frequencies: 0}, study.How{})
	if err != nil {
		log.Fatal(err)
	}
	if err := annealing.WeightsReport(rows, nil).Tables()[0].In(table.JSON).Write(os.Stdout, table.JSON); err != nil {
		log.Fatal(err)
	}
}

func samplesProgram(ctx context.Context, cases []subject.Case) {
	rows, err := study.Run(ctx, weights.Samples(), cases, weights.SampleOptions{K: []int{1, 2}}, study.How{})
	if err != nil {
		log.Fatal(err)
	}
	if err := annealing.SamplesReport(rows).Tables()[0].In(table.JSON).Write(os.Stdout, table.JSON); err != nil {
		log.Fatal(err)
	}
}

func spectrumProgram(ctx context.Context, cases []subject.Case) {
	betas, err := kernel.SpectrumBetas(2)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := kernel.Spectrum(ctx, cases[0], betas, 0)
	if err != nil {
		log.Fatal(err)
	}
	if err := checks.SpectrumReport(rows).Tables()[0].In(table.JSON).Write(os.Stdout, table.JSON); err != nil {
		log.Fatal(err)
	}
}

func scheduleProgram(ctx context.Context, cases []subject.Case) {
	rows, err := schedule.ShapeOf(cases[0], 1001)
	if err != nil {
		log.Fatal(err)
	}
	if err := annealing.ScheduleReport([]schedule.Shape{rows}).Tables()[0].In(table.JSON).Write(os.Stdout, table.JSON); err != nil {
		log.Fatal(err)
	}
}
