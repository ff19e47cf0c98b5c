package subject_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/chains/simulate"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/subjective"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// oneCase returns the one case of a toy with selectors: path, initial, schedule, kernel.
func oneCase(t *testing.T, toy, path, initial, schedule, kernel string) subject.Case {
	t.Helper()
	s := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{toy},
		Distributions: []int{3},
		Path:          path,
		Initial:       initial,
		Schedule:      schedule,
		Kernel:        kernel,
	}
	return casetest.MustCases(t, s)[0]
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// TestCanonicalNames: however a selector is written, the case has one name of it, which is a
// selector of the same.
func TestCanonicalNames(t *testing.T) {
	dir := t.TempDir()
	middle := write(t, filepath.Join(dir, "m.csv"), "0,1\n0.5,0\n")
	square := "random:1:7:2x2"
	for _, c := range []struct{ part, written, want string }{
		{"toy", "random:2.0:07", "random:2:7"}, {"toy", "random:+2:7:7x7", "random:2:7"},
		{"toy", "random:-0:7", "random:0:7"},
		{"toy", "barrier:07x9", "barrier:7x9"},
		{"path", "q:.5", "q:0.5"}, {"path", "q:-0", "q:0"}, {"path", "q:1.0", "geometric"},
		{"path", "via:.3:" + middle, "via:0.3:" + middle}, {"path", "via:" + middle, "via:0.5:" + middle},
		{"path", "via:5e-1:" + middle, "via:0.5:" + middle},
		{"initial", "", "uniform"}, {"initial", "tempered:.5", "tempered:0.5"},
		{"initial", "tempered:5e-1", "tempered:0.5"},
		{"initial", "tempered:-0", "tempered:0"}, {"initial", "smoothed:03", "smoothed:3"},
		{"initial", "smoothed:+3", "smoothed:3"},
		{"initial", "file:" + middle, "file:" + middle},
		{"schedule", "sigmoid", "sigmoid:4"}, {"schedule", "geometric", "geometric:0.01"},
		{"schedule", "power:2.0", "power:2"}, {"schedule", "cess", "cess"},
		{"kernel", "lazy:.5", "lazy:0.5:metropolis"}, {"kernel", "repeat:02:barker", "repeat:2:barker"},
		{"kernel", "jump:1e-1", "jump:0.1"},
		{"kernel", "lazy:-0:barker", "barker"},
	} {
		selectors := map[string]string{"toy": square, "path": "geometric", "initial": "uniform",
			"schedule": "linear", "kernel": "metropolis"}
		name := func(written string) string {
			selectors[c.part] = written
			made := oneCase(t, selectors["toy"], selectors["path"], selectors["initial"],
				selectors["schedule"], selectors["kernel"])
			for _, p := range made.Parts() {
				if p.Name == c.part {
					return p.Value
				}
			}
			return ""
		}
		if got := name(c.written); got != c.want || name(got) != got {
			t.Errorf("%s %s is %s and then %s, want %s", c.part, c.written, got, name(got), c.want)
		}
	}
}

// TestKeyTellsCasesApart: whatever differs between two cases differs in their keys, and a key
// differs in nothing else.
func TestKeyTellsCasesApart(t *testing.T) {
	seen := map[string]string{}
	for _, c := range [][5]string{
		{"easy", "geometric", "uniform", "linear", "metropolis"},
		{"hard", "geometric", "uniform", "linear", "metropolis"},
		{"easy", "q:0.5", "uniform", "linear", "metropolis"},
		{"easy", "geometric", "tempered:0.5", "linear", "metropolis"},
		{"easy", "geometric", "smoothed:3", "linear", "metropolis"},
		{"easy", "geometric", "uniform", "sigmoid", "metropolis"},
		{"easy", "geometric", "uniform", "linear", "barker"},
	} {
		one := oneCase(t, c[0], c[1], c[2], c[3], c[4])
		if before, ok := seen[one.Key()]; ok {
			t.Errorf("%v has the key of %s", c, before)
		}
		seen[one.Key()] = fmt.Sprint(c)
	}
	longer := oneCase(t, "easy", "geometric", "uniform", "linear", "metropolis")
	longer.Params = longer.Params.With("T", "4")
	if _, ok := seen[longer.Key()]; ok {
		t.Error("T is not in the key")
	}
}

// TestKeyOfFiles: of a file the key has the numbers and not the path.
func TestKeyOfFiles(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	plain := "0,1\n0.5,0\n"
	// One number is another in each of the others.
	for part, c := range map[string]struct{ selector, one, other string }{
		"toy":      {"file:%s", plain, "0,1\n0.5,0.25\n"},
		"initial":  {"file:%s", plain, "0,1\n0.5,0.25\n"},
		"path":     {"via:.3:%s", plain, "0,1\n0.5,0.25\n"},
		"schedule": {"file:%s", "0\n0.5\n1\n", "0\n0.25\n1\n"},
	} {
		key := func(path string) string {
			s := map[string]string{
				"toy": "random:1:0:2x2", "path": "geometric", "initial": "uniform", "schedule": "linear"}
			s[part] = fmt.Sprintf(c.selector, path)
			made := oneCase(t, s["toy"], s["path"], s["initial"], s["schedule"], "metropolis")
			return made.Key()
		}
		one := key(write(t, at("a"), c.one))
		if copied := key(write(t, at("b"), strings.ReplaceAll(c.one, "\n", "\r\n"))); copied != one ||
			strings.Contains(one, dir) {
			t.Errorf("%s: a copy of a file has the key %s, the file %s", part, copied, one)
		}
		if changed := key(write(t, at("a"), c.other)); changed == one {
			t.Errorf("%s: other numbers under one path have the same key", part)
		}
	}
	// A mixture with two files: the weights and both files count.
	mixture := func(first, second, weight string) string {
		made := oneCase(t, "mixture:1*file:"+first+"+"+weight+"*file:"+second, "geometric", "uniform",
			"linear", "metropolis")
		return made.Key()
	}
	a, b := write(t, at("a"), plain), write(t, at("b"), "0,1\n0.5,0.25\n")
	if one := mixture(a, b, "2"); one != mixture(write(t, at("c"), plain), b, "2") ||
		strings.Contains(one, dir) || one == mixture(a, b, "3") ||
		one == mixture(a, a, "2") {
		t.Errorf("keys of mixtures: %s", one)
	}
	// A network with evidence in another file, or in the selector.
	network := func(path, p, options string) string {
		text := "BAYES 2 2 2 2 1 0 2 0 1 2 0.5 0.5 4 0.25 0.75 " + p
		made := oneCase(t, "uai:"+write(t, at(path), text)+":evidence="+options, "geometric", "prior",
			"linear", "metropolis")
		return made.Key()
	}
	seen := network("net", "0.5 0.5", write(t, at("seen"), "1 1 1"))
	if seen != network("elsewhere", "0.5 0.5", "1=1") || strings.Contains(seen, dir) ||
		seen == network("net", "0.25 0.75", "1=1") ||
		seen == network("net", "0.5 0.5", "1=0") {
		t.Errorf("keys of networks: %s", seen)
	}
	// A model in a file, with its data in another one.
	model := func(path, noise, data string) string {
		write(t, at("points.csv"), data)
		made := oneCase(t, "model:"+write(t, at(path),
			"kind = 'clustering'\ndata = 'points.csv'\npi = [0.5, 0.5]\ncentre_variance = 4\nnoise_variance = "+
				noise+"\n"), "tempered", "prior", "linear", "metropolis")
		return made.Key()
	}
	one := model("a.toml", "1.0", "1\n-2\n")
	if copied := model("b.toml", "1", "1.0\n-2.0\n"); copied != one || strings.Contains(one, dir) {
		t.Errorf("a copy of a model has the key %s, the model %s", copied, one)
	}
	if model("a.toml", "2.0", "1\n-2\n") == one || model("a.toml", "1.0", "1\n-2.5\n") == one {
		t.Error("the key does not follow the model and its data")
	}
}

// TestKeyFromGo: a case built in Go is known by its fields.
func TestKeyFromGo(t *testing.T) {
	a, b := subject.Case{
		Toy:    toys.Easy(),
		Params: subject.Setting{T: 10, Path: "mine", Schedule: "linear", Kernel: "my kernel"}.Params(),
	},
		oneCase(t, "easy", "geometric", "", "linear", "metropolis")
	if want := `"easy" "mine" "uniform" "linear" "my kernel" "10"`; a.Key() != want {
		t.Errorf("key %s, want %s", a.Key(), want)
	}
	again := subject.Case{Toy: toys.Easy(), Algorithm: b.Annealing(),
		Params: subject.Setting{T: 3, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}.Params()}
	if again.Key() != b.Key() {
		t.Errorf("in Go %s, selected %s", again.Key(), b.Key())
	}
	tricky := subject.Case{Toy: &toys.Toy{Name: `easy" "mine`, Space: grid.MustNew(2)},
		Params: subject.Setting{T: 10, Path: "x", Schedule: "y z", Kernel: ""}.Params()}
	if other := (subject.Case{Toy: &toys.Toy{Name: `easy`, Space: grid.MustNew(2)},
		Params: subject.Setting{T: 10, Path: `mine" "x`, Schedule: "y z"}.Params()}); tricky.Key() ==
		other.Key() {
		t.Errorf("two cases have the key %s", tricky.Key())
	}
}

// TestDrawsFollowTheKey: annealings that differ in nothing but the initial distribution do not
// share their draws, and one that is written in two ways, or stands elsewhere in a run, has the
// same ones.
func TestDrawsFollowTheKey(t *testing.T) {
	longtest.Only(t)
	weights := func(c subject.Case) *simulate.Batch {
		runs, err := study.Run(context.Background(), ais.Study(), []subject.Case{c},
			ais.Options{Chains: 200, Seed: 1}, study.How{})
		if err != nil || runs[0].Err != nil {
			t.Fatal(err, runs[0].Err)
		}
		return runs[0].Forward
	}
	of := func(initial, kernel string) *simulate.Batch {
		return weights(oneCase(t, "random:0:1:2x2", "geometric", initial, "linear", kernel))
	}
	// On a flat target all initial distributions are uniform: chains with the same draws would end
	// in the same states.
	if reflect.DeepEqual(of("uniform", "metropolis").Last, of("tempered:0.5", "metropolis").Last) {
		t.Error("two initial distributions share their draws")
	}
	if !reflect.DeepEqual(of("tempered:0.5", "lazy:0.5:barker"), of("tempered:.5", "lazy:.5:barker")) {
		t.Error("one case, written in two ways, has different draws")
	}
}

// TestNamedToysHaveTheKeyOfTheTarget: what a user calls a toy changes no random numbers, and stands
// instead of its selector elsewhere.
func TestNamedToysHaveTheKeyOfTheTarget(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "m.csv"), "0,1\n0.5,0\n")
	for target, named := range map[string]string{"easy": "mine=easy", "file:" + path: "ring=file:" + path} {
		one, two := oneCase(t, target, "geometric", "uniform", "linear", "metropolis"),
			oneCase(t, named, "geometric", "uniform", "linear", "metropolis")
		name, _, _ := strings.Cut(named, "=")
		if one.Key() != two.Key() || two.Param("toy") != name {
			t.Errorf("%s: keys %s and %s, toy %s", named, one.Key(), two.Key(), two.Param("toy"))
		}
	}
	s := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"a=easy", "a=hard"},
		Distributions: []int{3},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}
	longtest.Refuses(s.Cases(context.Background()))(t, "the name a stands for two selectors")
}

// TestKeyOfArchive: a case that is read from an array of an archive has the key of the same numbers
// in text, wherever the archive is.
func TestKeyOfArchive(t *testing.T) {
	dir := t.TempDir()
	text := write(t, filepath.Join(dir, "g.csv"), "0,1\n0.5,0\n")
	var archive bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&archive, []numpy.Member{
		{Name: "beta", Data: numpy.Floats([]float64{0, 0.5, 1}, 3)},
		{Name: "g", Data: numpy.Floats([]float64{0, 1, 0.5, 0}, 2, 2)},
	}))
	betas := write(t, filepath.Join(dir, "b.csv"), "0\n0.5\n1\n")
	want := oneCase(t, "file:"+text, "via:0.5:"+text, "file:"+text, "file:"+betas, "metropolis")
	for _, name := range []string{"a.npz", "elsewhere.npz"} {
		path := write(t, filepath.Join(dir, name), archive.String())
		got := oneCase(
			t,
			"file:"+path+"#g",
			"via:0.5:"+path+"#g",
			"file:"+path+"#g",
			"file:"+path+"#beta",
			"metropolis",
		)
		if got.Key() != want.Key() || strings.Contains(got.Key(), name) {
			t.Errorf("the key is %s, and with text %s", got.Key(), want.Key())
		}
	}
}

// TestGraphKeys: the key of a toy on a graph has what was read, and nothing of where it stands.
func TestGraphKeys(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"e.csv": "a,b\nb,c\n", "same.csv": "# the same\n a , b\nb,c\n", "labels.csv": "a,b\nb,d\n",
		"joined.csv": "a,b\nb,c\nc,a\n", "order.csv": "b,c\na,b\n",
		"g.csv": "a,1\nb,2\nc,3\n", "turned.csv": "c,3\nb,2\na,1\n", "other.csv": "a,1\nb,2\nc,3.5\n",
		"placed.csv": "a,1,0,0\nb,2,0,1\nc,3,1,0\n",
		"gd.csv":     "a,1\nb,2\nd,3\n",
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
	for _, toy := range []string{
		"graph:same.csv:g.csv", "graph:e.csv:turned.csv", "graph:e.csv:placed.csv", "graph:./e.csv:./g.csv"} {
		if got := key(toy); got != first {
			t.Errorf("%s has the key %s, and the same numbers %s", toy, got, first)
		}
	}
	seen := map[string]string{first: "graph:e.csv:g.csv"}
	for _, toy := range []string{
		"graph:e.csv:other.csv", "graph:labels.csv:gd.csv", "graph:joined.csv:g.csv", "graph:order.csv:g.csv",
		"graph:e.csv:random:2:0", "graph:joined.csv:random:2:0"} {
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

// TestReferenceByLabel: a point is named by its label on a graph, also if that is a number, and by
// number on a grid.
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
