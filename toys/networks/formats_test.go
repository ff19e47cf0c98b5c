package networks_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// TestRecognised: a file in the format of UAI is read as such whatever its ending and its selector
// say, another one as BIF, and the description names the format.
func TestRecognised(t *testing.T) {
	dir := t.TempDir()
	for name, title := range map[string]string{"same/table.bif": "BIF", "asia.uai": "UAI"} {
		data := longtest.Must(os.ReadFile(filepath.Join("testdata", name)))(t)
		for _, as := range []string{".bif", ".uai", ".txt"} {
			path := filepath.Join(dir, "file"+as)
			longtest.NoError(t, os.WriteFile(path, data, 0o600))
			q, selector, err := networks.Open(path, "", "")
			if title == "BIF" && as == ".uai" {
				longtest.Refused(t, err, "expected BAYES or MARKOV")
				continue
			}
			longtest.NoError(t, err)
			if want := "as " + title; !strings.HasSuffix(q.Describe(), want) ||
				strings.HasPrefix(selector, "bif:") != (title == "BIF") {
				t.Errorf("%s as %s: %s, %q, want one that ends in %q", name, as, selector, q.Describe(), want)
			}
			if q := longtest.Must(parse("bif:" + path))(t); !strings.HasSuffix(q.Describe(), "as "+title) {
				t.Errorf("bif:%s: %s", name, q.Describe())
			}
		}
	}
}

// TestUnread: files of formats that are not read are refused with the way to one that is.
func TestUnread(t *testing.T) {
	const want = `import pyagrum; pyagrum.saveBN(pyagrum.loadBN("x.net"), "x.net.bif")`
	_, _, err := networks.Open("d/x.net", "", "")
	longtest.Refused(t, err, want)
	longtest.Refuses(parse("bif:d/x.net"))(t, want)
}

// names draws a name that is printed and has no blanks around it.
func names(characters string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		name := strings.TrimLeft(
			string(rapid.SliceOfN(rapid.SampledFrom([]rune(characters)), 0, 8).Draw(t, "name")),
			" ",
		)
		return name + rapid.SampledFrom([]string{"x", "table", "9", "]"}).Draw(t, "end")
	})
}

// random draws a Bayesian network of up to five variables of one to four values, with parents in
// ascending order and columns of the distribution.
func random(t *rapid.T, characters string, distribution func(*rapid.T, int) []float64) *networks.Network {
	n := &networks.Network{Bayes: true}
	var order []int
	for v, name := range rapid.SliceOfNDistinct(names(characters), 1, 5, rapid.ID[string]).Draw(t, "names") {
		n.Variables = append(n.Variables, networks.Variable{
			Name:   name,
			Labels: rapid.SliceOfNDistinct(names(characters), 1, 4, rapid.ID[string]).Draw(t, "labels"),
		})
		order = append(order, v)
	}
	order = rapid.Permutation(order).Draw(t, "order")
	for v := range n.Variables {
		scope := slices.Sorted(slices.Values(
			rapid.SliceOfDistinct(rapid.SampledFrom(order), rapid.ID[int]).Filter(func(list []int) bool {
				return !slices.ContainsFunc(
					list,
					func(w int) bool { return slices.Index(order, w) >= slices.Index(order, v) },
				)
			}).Draw(t, "parents"),
		))
		f := networks.Factor{Scope: append(scope, v)}
		configurations := 1
		for _, w := range scope {
			configurations *= len(n.Variables[w].Labels)
		}
		for range configurations {
			f.Values = append(f.Values, distribution(t, len(n.Variables[v].Labels))...)
		}
		n.Factors = append(n.Factors, f)
	}
	return n
}

// distribution draws probabilities with all digits, some of them zero or tiny, that sum to one.
func distribution(t *rapid.T, k int) []float64 {
	p := make([]float64, k)
	sum := 0.0
	for i := range p[:k-1] {
		p[i] = rapid.SampledFrom([]float64{0, 5e-324, 1e-300, 1.0 / 3 / float64(k),
			rapid.Float64Range(0, 1).Draw(t, "p") / float64(k)}).Draw(t, "which")
		sum += p[i]
	}
	p[k-1] = 1 - sum
	return p
}

// TestWrittenAgain: a network that is written reads as the same to the last digit, whatever its
// names, if they have no quotes.
func TestWrittenAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := random(t, `aZ0_-.,;:|=%#&<>()[]{}'/*\ äß日😀`, distribution)
		data := longtest.Must(n.BIF("x.bif"))(t)
		again := longtest.Must(networks.ParseBIF(data, networks.ChildSlowest))(t)
		if !reflect.DeepEqual(again, n) {
			t.Errorf("%s\nis %+v\nand was %+v", data, again, n)
		}
	})
}

// TestNotWritten: what a format cannot hold is refused.
func TestNotWritten(t *testing.T) {
	one := func(name string) *networks.Network {
		return &networks.Network{
			Bayes:     true,
			Variables: []networks.Variable{{Name: name, Labels: []string{"x"}}},
			Factors:   []networks.Factor{{Scope: []int{0}, Values: []float64{1}}},
		}
	}
	longtest.Refuses(one(`a"b`).BIF("x.bif"))(t,
		"the network cannot be written in BIF with the name \"a\\\"b\": line 6: the name in quotes")
	longtest.Refuses(one("a").BIF("x.net"))(t, `"x.net" does not end in .bif, which is the format that is written`)
	longtest.Refuses(one("a").BIF("x.bif.gz"))(t, "does not end in .bif")
	longtest.Refuses(read(t, "grid33.uai", "").BIF("x.bif"))(t, "BIF has Bayesian networks alone")
}

// TestQuotedNames: a name with a quote stands in quotes in a selector, with its own quotes doubled.
func TestQuotedNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.json")
	longtest.NoError(t, os.WriteFile(path,
		[]byte(`{"states": ["a \"b\"", "y+"], "pi": [0.25, 0.75], "A": [[1, 0], [0, 1]], "E": [[1], [1]], `+
			`"y": [0, 0]}`),
		0o600))
	option := `:evidence=x1="a ""b"""`
	if q := longtest.Must(parse("hmm:" + path + option))(t); q.Selector != path+option || len(q.Free()) != 1 {
		t.Error(q.Selector)
	}
	longtest.Refuses(parse("hmm:"+path+`:evidence=x1="a "b"`))(t, "is not a name")
}
