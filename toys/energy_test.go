package toys_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
	"breadboard/toys/models"
)

// TestEnergies: what a selector says of the factor in front of an energy, and of its sign.
func TestEnergies(t *testing.T) {
	two := fileOf(t, "a:2", []byte("3 5 1.5\n5 5 -0.25\n"))
	for selector, want := range map[string]struct{ name, g string }{
		"ising-file:" + two + ":2": {
			"ising-file:" + two + ":2", "[3.5 -3.5 -2.5 2.5]"},
		"ising-file:" + two + ":1": {
			"ising-file:" + two + ":1", "[1.75 -1.75 -1.25 1.25]"},
		"bq:" + fileOf(t, "b.bq", []byte("2 2\n1 1 1\n1 2 0.5\n")) + ":3": {
			"", "[0 0 -3 -6]"},
		"qubo:" + fileOf(t, "q", []byte("p qubo 0 2 2 1\n0 0 1\n1 1 0\n0 1 0.5\n")) + ":3": {
			"", "[0 0 -3 -4.5]"},
		"rudy:" + fileOf(t, "r", []byte("2 1\n1 2 2\n")) + ":-0.5": {
			"", "[-1 1 1 -1]"},
	} {
		toy := longtest.Must(forms.Targets().Parse(selector))(t)
		if toy.Name != selector || want.name != "" && toy.Name != want.name || fmt.Sprint(toy.G) != want.g ||
			toy.Space.States() != 4 || len(toy.Axes) != 2 {
			t.Errorf("%s: %s, g = %v", selector, toy.Name, toy.G)
		}
		if !forms.Targets().NamesFile(selector) || len(forms.Targets().FilesOf(selector)) != 1 ||
			strings.HasSuffix(forms.Targets().FilesOf(selector)[0], ":3") {
			t.Errorf("%s names the files %v", selector, forms.Targets().FilesOf(selector))
		}
	}
	plain := fileOf(t, "spins", []byte("3 5 1.5\n"))
	if toy := parsed(t, "ising-file:"+plain); toy.Name != "ising-file:"+plain+":1" {
		t.Errorf("it is called %s", toy.Name)
	}
	for selector, want := range map[string]string{
		"rudy":            "give the path and J, as in rudy:torus.rud:0.5",
		"rudy:torus.rud":  "write rudy:PATH:J with a number behind the last colon",
		"qubo:x.qubo:hot": "x.qubo:hot: no such file",
		"bq::1":           "write bq:PATH:BETA",
		"bq:" + plain + ":1": "a .bq or .sparse file " + plain +
			": line 1: expected n m, the numbers of sites and of entries",
		"rudy:" + plain + "x:1":          "no such file",
		"ising-file:" + plain + ":1e999": "no such file",
	} {
		longtest.Refuses(forms.Targets().Parse(selector))(t, want)
	}
}

const networkFiles = "networks/testdata/"

// TestNetworkToy: the axes are the free variables with their names and labels, a Bayesian network
// is a model, and a Markov network has no prior.
func TestNetworkToy(t *testing.T) {
	toy := longtest.Sure(forms.Targets().Parse("bif:" + networkFiles + "survey.bif:evidence=E=uni:hide=A+R"))
	var names []string
	for _, axis := range toy.Axes {
		names = append(names, axis.Name+":"+strings.Join(axis.Labels, "/"))
	}
	if got := strings.Join(names, " "); got != "S:M/F O:emp/self T:car/train/other" ||
		toy.Space.String() != "2x2x3" {
		t.Errorf("axes %s on %v", got, toy.Space)
	}
	if toy.Model == nil || toy.DefaultInitial() != "prior" ||
		toy.Description !=
			"a Bayesian network of 6 variables, 1 observed, 2 summed out, read from survey.bif as BIF" {
		t.Errorf("%+v", toy)
	}
	markov := longtest.Sure(forms.Targets().Parse("uai:" + networkFiles + "markov3.uai:evidence=0=1"))
	if markov.Model != nil || markov.LogPrior != nil || markov.DefaultInitial() != "uniform" ||
		len(markov.Axes) != 2 || markov.Axes[1].Name != "x2" {
		t.Errorf("%+v", markov)
	}
	longtest.Refuses(forms.Targets().ParseInitial(context.Background(), "prior", markov))(t,
		"has no prior; models and Bayesian networks have one, as clu8, and uniform is for any toy")
}

// TestNetworkNotes: notes say what a user should know of a network.
func TestNetworkNotes(t *testing.T) {
	toy := longtest.Sure(forms.Targets().Parse("bif:" + networkFiles + "rounded.bif"))
	if !strings.HasPrefix(toy.Doubt, "2 columns of probabilities did not sum to one") {
		t.Errorf("note %q", toy.Doubt)
	}
	start := longtest.Sure(forms.Targets().ParseInitial(context.Background(), "prior", toy))
	if !strings.HasPrefix(start.Doubt, "the prior is the target") {
		t.Errorf("note %q", start.Doubt)
	}
	seen := longtest.Sure(forms.Targets().Parse("bif:" + networkFiles + "asia.bif:evidence=dysp=yes"))
	if start := longtest.Sure(forms.Targets().ParseInitial(context.Background(), "prior", seen)); start.Doubt != "" ||
		seen.Doubt != "" {
		t.Errorf("notes %q and %q", start.Doubt, seen.Doubt)
	}
	if lonely := longtest.Sure(forms.Targets().Parse("uai:" + networkFiles +
		"lonely.uai:evidence=auto")); !strings.HasPrefix(lonely.Doubt, "there is no file "+
		networkFiles+"lonely.uai.evid") || strings.Contains(lonely.Name, "evidence") {
		t.Errorf("%q: note %q", lonely.Name, lonely.Doubt)
	}
}

// TestNetworkMistakes: wrong selectors of networks are refused with the cure.
func TestNetworkMistakes(t *testing.T) {
	// three variables that must be equal
	equal := fileOf(t, "equal.uai", []byte("MARKOV 3 2 2 2 2 2 0 1 2 1 2 4 1 0 0 1 4 1 0 0 1"))
	asia := "bif:" + networkFiles + "asia.bif"
	clinic := "bif:" + networkFiles + "clinic37.bif"
	for text, want := range map[string]string{
		"bif":                                 "give the path, as in bif:asia.bif",
		"bif:":                                "give the path of a file",
		"bif:nowhere.bif":                     "nowhere.bif: no such file",
		asia + ":evidence=":                   "nothing stands behind evidence=; write VARIABLE=VALUE",
		asia + ":evidence=lungs=yes":          `evidence: unknown variable "lungs"; did you mean lung?`,
		asia + ":evidence=lung=maybe":         `evidence: unknown value of lung "maybe"; choices: yes, no`,
		asia + ":evidence=lung=yes+dysp":      `evidence: "dysp" is not an observation; write VARIABLE=VALUE`,
		asia + ":evidence=lung=yes+lung=yes":  "evidence: lung is observed twice",
		asia + ":evidence=lung=yes:hide=lung": "hide: lung is observed; leave it away in one of the two",
		asia + ":hide=lung+lung":              "hide: lung stands twice",
		asia + ":hide=lung:keep=dysp":         "hide= and keep= are both given",
		asia + ":hide=lung:hide=dysp":         "hide= stands twice",
		asia + ":hide=lung:show=dysp": `"show=dysp" is not an option; the options are evidence=, ` +
			`hide=, keep=, table=`,
		asia + `:evidence="lung=yes`: `open "lung=yes: no such file`,
		asia + ":table=first":        "table=first is unknown; write table=child-fastest, or leave it away",
		asia + ":hide=asia+tub+smoke+lung+bronc+either+xray+dysp": "all variables are observed or hidden, " +
			"so that there is nothing to sample",
		asia +
			":evidence=either=no+tub=yes": "the evidence is impossible: the table of either given tub, " +
			"lung is zero at tub=yes, either=no, whatever the other variables are; leave one of these " +
			"observations away",
		asia + ":evidence=tub=yes+lung=no+either=no": "the table of either given tub, lung is zero",
		"uai:" + networkFiles +
			"colour5.uai:evidence=0=1+1=1": "the evidence is impossible: table 7, of x0, x1, is zero at " +
			"x0=1, x1=1, whatever",
		"uai:" + equal +
			":evidence=0=0+2=1": "the evidence is impossible: the product of all tables is zero for every " +
			"value of the other variables, though none is alone",
		"uai:" + networkFiles +
			"asia.uai:table=child-fastest": `is not an option; the options are evidence=, hide=, keep=,`,
		"uai:" + networkFiles + "asia.uai:evidence=" + networkFiles +
			"two2008.evid#3": "there is no sample 3; the file has 2 samples",
		clinic: "its 37 free variables have 53496602689536 states, and at most 67108864 can be " +
			"enumerated; observe 13 variables or more, or sum as many out, as with :hide=Fever+Age+",
	} {
		longtest.Refuses(forms.Targets().Parse(text))(t, want)
	}
}

// TestFilesOfNetworks: the files of a selector are those of the evidence and of the network.
func TestFilesOfNetworks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a:b=c.uai")
	longtest.NoError(t, os.WriteFile(path, longtest.Sure(os.ReadFile(networkFiles+"asia.uai")), 0o644))
	for text, want := range map[string][]string{
		"bif:a.bif":                            {"a.bif"},
		"bif:a.bif:evidence=x=y:hide=z":        {"a.bif"},
		"n=bif:a.bif:evidence=b.txt:hide=z":    {"b.txt", "a.bif"},
		"bif:C:\\a.bif:evidence=\"D:\\b.txt\"": {"D:\\b.txt", "C:\\a.bif"},
		"uai:a.uai:evidence=b.evid#2":          {"b.evid", "a.uai"},
		"uai:a.uai:evidence=auto":              {"a.uai"},
		"uai:" + path + ":evidence=auto":       {path},
		"mixture:1*uai:a.uai:evidence=3=1+7=0": {"a.uai"},
		"bif:":                                 nil, "bif": nil,
	} {
		if got := forms.Targets().FilesOf(text); !slices.Equal(got, want) {
			t.Errorf("%s names %q", text, got)
		}
	}
	longtest.NoError(t, os.WriteFile(path+".evid", []byte("1 0 0\n"), 0o644))
	got := forms.Targets().FilesOf("uai:" + path + ":evidence=auto")
	if !slices.Equal(got, []string{path + ".evid", path}) {
		t.Errorf("with evidence beside it: %q", got)
	}
}

// TestRepresentedNetworks: the representations of a network are the whole, and for each variable
// that was not observed the one without it.
func TestRepresentedNetworks(t *testing.T) {
	cancer := "bif:" + networkFiles + "cancer.bif:evidence=Smoker=True+Xray=positive"
	all := []string{cancer, cancer + ":hide=Pollution", cancer + ":hide=Cancer", cancer + ":hide=Dyspnoea"}
	for selector, want := range map[string]*toys.Represented{
		cancer:                                 {Whole: cancer, Name: "all", All: all},
		cancer + ":keep=Pollution+Dyspnoea":    {Whole: cancer, Name: "hide=Cancer", All: all},
		cancer + ":hide=Pollution+Dyspnoea":    nil,
		cancer + "+Cancer=True+Pollution=high": nil, // one variable is left
	} {
		if toy := longtest.Sure(forms.Targets().Parse(selector)); !reflect.DeepEqual(toy.Represented, want) {
			t.Errorf("%s: %+v", selector, toy.Represented)
		}
	}
}

const (
	clu4File = "kind = \"clustering\"\ndata = \"below/points.csv\"\npi = [0.5, 0.5]\ncentre_variance = " +
		"0.05\nnoise_variance = 1.0\n"
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

// TestModelInFile: it is the model that is built in, under its own name; its files are its data and
// itself.
func TestModelInFile(t *testing.T) {
	path := modelFile(t, clu4File, clu4Data)
	toy := longtest.Sure(forms.Targets().Parse("model:" + path))
	same := longtest.Sure(forms.Targets().Parse("clu4"))
	if toy.Name != "model:"+path || !slices.Equal(toy.G, same.G) ||
		!slices.Equal(toy.LogPrior, same.LogPrior) ||
		toy.Space.String() != same.Space.String() || toy.DefaultInitial() != "prior" {
		t.Errorf("%v, want %v", toy, same)
	}
	data := filepath.Join(filepath.Dir(path), "below", "points.csv")
	if files := forms.Targets().FilesOf("model:" + path); !slices.Equal(files, []string{data, path}) ||
		forms.Targets().FileOf("model:"+path) != path {
		t.Errorf("its files are %v", files)
	}
	bad := modelFile(t, clu4File, "0.4,1\n0\n")
	longtest.Refuses(forms.Targets().Parse("model:"+bad))(t, "model "+bad+
		": data below/points.csv: line 2 has 1 column, the first row has 2; give every row as many")
}

// A model of your own is a toy: its target is the joint distribution of the latent variables and
// the data, so that log Z_T/Z_1 from the prior is the log marginal likelihood of the data.
func ExampleOfModel() {
	toy := toys.OfModel("mine", "three points in two clusters", &models.Clustering{
		Y:        [][]float64{{2.3}, {3.1}, {-1.7}},
		Clusters: estimators.Clusters{Pi: []float64{0.5, 0.5}, CentreVariance: 9, NoiseVariance: 1},
	})
	initial, err := forms.Targets().ParseInitial(context.Background(), toy.DefaultInitial(), toy)
	if err != nil {
		fmt.Println(err)
		return
	}
	likeliest := 0
	z := 0.0
	for x, g := range toy.G {
		z += math.Exp(g)
		if g > toy.G[likeliest] {
			likeliest = x
		}
	}
	fmt.Printf("from the %s, log Z = %.6f\n", initial.Name, math.Log(z))
	fmt.Printf("clusters %s with probability %.3f\n", toy.Space.Label(likeliest), math.Exp(toy.G[likeliest])/z)
	// Output:
	// from the prior, log Z = -7.421814
	// clusters 0,0,1 with probability 0.484
}

// TestTemperedPath: it is for models, from their prior to the target.
func TestTemperedPath(t *testing.T) {
	for _, name := range []string{"clu6", "bin4"} {
		toy := parsed(t, name)
		initial := longtest.Sure(forms.Targets().ParseInitial(t.Context(), "prior", toy))
		path := longtest.Sure(forms.Targets().ParsePath("tempered", initial.Ends, toy))
		got := make([]float64, len(toy.G))
		for beta, want := range [][]float64{toy.LogPrior, toy.G} {
			path.LogF(got, chains.At(float64(beta)))
			for x, v := range got {
				if math.Abs(v-want[x]) > 1e-13 {
					t.Errorf("%s at %v: log f of state %d is %v, want %v", name, beta, x, v, want[x])
				}
			}
		}
	}
	for _, c := range [][3]string{
		{"clu6", "uniform",
			"choose a clustering or binary attributes as the target, as clu8, and prior as the initial distribution"},
		{"clu8", "tempered:0.5", "prior as the initial"},
		{"easy", "uniform", "choose a clustering or binary attributes as the target"},
	} {
		toy := parsed(t, c[0])
		initial := longtest.Sure(forms.Targets().ParseInitial(t.Context(), c[1], toy))
		longtest.Refuses(forms.Targets().ParsePath("tempered", initial.Ends, toy))(t, c[2])
	}
}
