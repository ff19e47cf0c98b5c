package toys_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

const (
	clu4File = "kind = \"clustering\"\ndata = \"below/points.csv\"\npi = [0.5, 0.5]\ncentre_variance = 0.05\nnoise_variance = 1.0\n"
	clu4Data = "0.4\n-0.7\n0.9\n-0.2\n"
)

// modelFile writes the file of a model with its data and returns its path.
func modelFile(tb testing.TB, file, data string) string {
	tb.Helper()
	dir := tb.TempDir()
	longtest.NoError(tb, os.Mkdir(filepath.Join(dir, "below"), 0o755))
	path := filepath.Join(dir, "clu:4.toml")
	for name, text := range map[string]string{path: file, filepath.Join(dir, "below", "points.csv"): data} {
		longtest.NoError(tb, os.WriteFile(name, []byte(text), 0o644))
	}
	return path
}

// TestModelInFile: it is the model that is built in, under its own name; its files are its data and itself.
func TestModelInFile(t *testing.T) {
	path := modelFile(t, clu4File, clu4Data)
	toy := longtest.Sure(toys.Parse("model:" + path))
	same := longtest.Sure(toys.Parse("clu4"))
	if toy.Name != "model:"+path || !slices.Equal(toy.G, same.G) || !slices.Equal(toy.LogPrior, same.LogPrior) || toy.Space.String() != same.Space.String() || toy.DefaultInitial() != "prior" {
		t.Errorf("%v, want %v", toy, same)
	}
	data := filepath.Join(filepath.Dir(path), "below", "points.csv")
	if files := toys.FilesOf("model:" + path); !slices.Equal(files, []string{data, path}) {
		t.Errorf("its files are %v", files)
	}
	if toys.FileOf("model:"+path) != path || !slices.Equal(toys.FilesOf("model:nowhere.toml"), []string{"nowhere.toml"}) {
		t.Error("a model names another file than its own")
	}
	bad := modelFile(t, clu4File, "0.4,1\n0\n")
	if _, err := toys.Parse("model:" + bad); err == nil || err.Error() != "model "+bad+": data below/points.csv: line 2 has 1 column, the first row has 2; give every row as many" {
		t.Error(err)
	}
}

// A model of one's own is a toy: its target is the joint law of the latent variables and the data, so that log Z_T/Z_1 from the prior is
// the log marginal likelihood of the data.
func ExampleOfModel() {
	toy := toys.OfModel("mine", "three points in two clusters", &models.Clustering{
		Y: [][]float64{{2.3}, {3.1}, {-1.7}}, Pi: []float64{0.5, 0.5}, CentreVariance: 9, NoiseVariance: 1,
	})
	initial, err := toys.ParseInitial(context.Background(), toy.DefaultInitial(), toy)
	if err != nil {
		fmt.Println(err)
		return
	}
	likeliest, z := 0, 0.0
	for x, g := range toy.G {
		z += math.Exp(g)
		if g > toy.G[likeliest] {
			likeliest = x
		}
	}
	fmt.Printf("from the %s, log Z = %.6f\n", initial.Name, math.Log(z))
	fmt.Printf("clusters %s with probability %.3f\n", toy.Space.Label(likeliest), math.Exp(toy.G[likeliest])/z)
	// Both paths end there, and differ in between.
	for _, selector := range []string{"geometric", "tempered"} {
		path, err := toys.ParsePath(selector, initial.Ends, toy)
		if err != nil {
			fmt.Println(err)
			return
		}
		logf := make([]float64, path.States())
		path.LogF(logf, chains.At(0.5))
		z := 0.0
		for _, v := range logf {
			z += math.Exp(v)
		}
		fmt.Printf("half way on the path %s: probability %.3f\n", path, math.Exp(logf[likeliest])/z)
	}
	// Output:
	// from the prior, log Z = -7.421814
	// clusters 0,0,1 with probability 0.484
	// half way on the path geometric: probability 0.385
	// half way on the path tempered: probability 0.371
}

// TestTemperedPath: it is for models, from their prior on.
func TestTemperedPath(t *testing.T) {
	for _, c := range []struct{ toy, initial, want string }{
		{"clu6", "prior", ""}, {"bin4", "prior", ""},
		{"clu6", "uniform", "choose a clustering or binary attributes as the target, as clu8, and prior as the initial distribution"}, {"clu8", "tempered:0.5", "prior as the initial"},
		{"easy", "uniform", "choose a clustering or binary attributes as the target"},
	} {
		toy := longtest.Sure(toys.Parse(c.toy))
		initial := longtest.Sure(toys.ParseInitial(context.Background(), c.initial, toy))
		path, err := toys.ParsePath("tempered", initial.Ends, toy)
		if c.want != "" {
			if path != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s from %s: %v, %v, want %q", c.toy, c.initial, path, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s from %s: %v", c.toy, c.initial, err)
			continue
		}
		got := make([]float64, len(toy.G))
		for _, end := range []struct {
			beta float64
			want []float64
		}{{0, toy.LogPrior}, {1, toy.G}} {
			path.LogF(got, chains.At(end.beta))
			for x, v := range got {
				if math.Abs(v-end.want[x]) > 1e-13 {
					t.Errorf("%s at %v: log f of state %d is %v, want %v", c.toy, end.beta, x, v, end.want[x])
				}
			}
		}
	}
}
