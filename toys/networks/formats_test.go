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

// TestDeterministic: a deterministic node of GeNIe has the probability one of the state that each
// configuration of its parents gives, the last parent fastest, here of two values beside three.
func TestDeterministic(t *testing.T) {
	n := longtest.Must(networks.ParseXDSL([]byte(`<smile><nodes>
<cpt id="a"><state id="x"/><state id="y"/><state id="z"/><probabilities>0.2 0.3 0.5</probabilities></cpt>
<cpt id="b"><state id="no"/><state id="yes"/><probabilities>0.25 0.75</probabilities></cpt>
<deterministic id="d"><state id="low"/><state id="high"/><parents>b a</parents><resultingstates>low low high high low high</resultingstates></deterministic>
</nodes></smile>`)))(t)
	want := networks.Factor{Scope: []int{0, 1, 2}, Values: []float64{1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1}}
	if !reflect.DeepEqual(n.Factors[2], want) {
		t.Errorf("%v, want %v", n.Factors[2], want)
	}
}

// TestNetNotes: a potential without numbers or of ones alone is uniform, and a text in Latin-1 is
// read as one, with notes.
func TestNetNotes(t *testing.T) {
	for text, want := range map[string]string{
		"potential (a) { }":                                           "the potential of a, in line 2, has no numbers other than 1 and is uniform",
		"potential (a) { data = ( 1 1 1 1 ); }":                       "the potential of a, in line 2, has no numbers other than 1 and is uniform",
		"potential (a) { data = ( 0.25 0.25 0.25 0.25 ); } % gr\xfcn": "the text is no UTF-8 and was read as Latin-1",
	} {
		n := longtest.Must(networks.ParseNet([]byte("node a { states = (\"1\" \"2\" \"3\" \"4\"); }\n" + text)))(t)
		if !slices.Equal(n.Notes, []string{want}) || !slices.Equal(n.Factors[0].Values, []float64{0.25, 0.25, 0.25, 0.25}) {
			t.Errorf("%s: %v, notes %q", text, n.Factors, n.Notes)
		}
	}
	for _, text := range []string{"node a { states = (\"gr\xfcn\"); } potential (a) { data = (1); }",
		"<?xml version='1.0' encoding='ISO-8859-1'?><smile><nodes><cpt id='a'><state id='gr\xfcn'/><probabilities>1</probabilities></cpt></nodes></smile>"} {
		ending := map[bool]string{true: ".xdsl", false: ".net"}[text[0] == '<']
		if n := longtest.Must(parsers("")[ending]([]byte(text)))(t); n.Variables[0].Labels[0] != "grün" {
			t.Errorf("%s: %q", ending, n.Variables[0].Labels)
		}
	}
}

// TestRecognised: a file is read in the format that its beginning shows, whatever its ending and
// its selector say, and the description names the format.
func TestRecognised(t *testing.T) {
	dir := t.TempDir()
	titles := map[string]string{
		"unbbayes.net": "Hugin's NET", "samiam_class.net": "Hugin's NET", "weka.xml": "XMLBIF", "comments.xmlbif": "XMLBIF", "genie.xdsl": "GeNIe's XDSL",
		"bnlearn.dsc": "DSC", "table.bif": "BIF", "../asia.uai": "UAI",
	}
	for name, title := range titles {
		data := longtest.Must(os.ReadFile(filepath.Join("testdata/same", name)))(t)
		ending := filepath.Ext(name)
		for _, as := range []string{ending, ".txt", ".xml"} {
			path := filepath.Join(dir, "file"+as)
			longtest.NoError(t, os.WriteFile(path, data, 0o600))
			q, selector, err := networks.Open(path, "", "")
			if title == "BIF" && as == ".xml" {
				longtest.Refused(t, err, "the document has no element")
				continue
			}
			longtest.NoError(t, err)
			if want := "as " + title; !strings.HasSuffix(q.Describe(), want) || strings.HasPrefix(selector, "bif:") != (title == "BIF") {
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
	for path, want := range map[string]string{
		"dir/alarm.rds": `dir/alarm.rds: the format is R's RDS, which is not read; in R, write bnlearn::write.bif("alarm.rds.bif", readRDS("alarm.rds"))`,
		"alarm.RData":   `get(load("alarm.RData"))`,
		"x.nc":          `xarray.open_dataset("x.nc")`,
		"x.wcsp":        "UAI",
		"x.dne":         "GeNIe",
		"x.neta":        "save it as .dne in Netica",
		"x.oobn":        "in run mode as .net",
		"x.dsl.gz":      "GeNIe",
	} {
		longtest.Refused(t, networks.Unread(path), want)
		_, _, err := networks.Open(path, "", "")
		longtest.Refused(t, err, want)
		longtest.Refuses(parse("bif:"+path))(t, want)
	}
	longtest.NoError(t, networks.Unread("x.bif"))
}

// names draws a name that is printed and has no blanks around it.
func names(characters string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		name := strings.TrimLeft(string(rapid.SliceOfN(rapid.SampledFrom([]rune(characters)), 0, 8).Draw(t, "name")), " ")
		return name + rapid.SampledFrom([]string{"x", "table", "9", "]"}).Draw(t, "end")
	})
}

// random draws a Bayesian network of up to five variables of one to four values, with parents in
// ascending order and columns of the distribution.
func random(t *rapid.T, characters string, distribution func(*rapid.T, int) []float64) *networks.Network {
	n := &networks.Network{Bayes: true}
	var order []int
	for v, name := range rapid.SliceOfNDistinct(names(characters), 1, 5, rapid.ID[string]).Draw(t, "names") {
		n.Variables = append(n.Variables, networks.Variable{Name: name, Labels: rapid.SliceOfNDistinct(names(characters), 1, 4, rapid.ID[string]).Draw(t, "labels")})
		order = append(order, v)
	}
	order = rapid.Permutation(order).Draw(t, "order")
	for v := range n.Variables {
		scope := slices.Sorted(slices.Values(rapid.SliceOfDistinct(rapid.SampledFrom(order), rapid.ID[int]).Filter(func(list []int) bool {
			return !slices.ContainsFunc(list, func(w int) bool { return slices.Index(order, w) >= slices.Index(order, v) })
		}).Draw(t, "parents")))
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
	p, sum := make([]float64, k), 0.0
	for i := range p[:k-1] {
		p[i] = rapid.SampledFrom([]float64{0, 5e-324, 1e-300, 1.0 / 3 / float64(k), rapid.Float64Range(0, 1).Draw(t, "p") / float64(k)}).Draw(t, "which")
		sum += p[i]
	}
	p[k-1] = 1 - sum
	return p
}

// TestWrittenAgain: a network that is written reads as the same to the last digit, whatever its
// names, in BIF if they have no quotes.
func TestWrittenAgain(t *testing.T) {
	const characters = `aZ0_-.,;:|=%#&<>()[]{}'/*\ äß日😀`
	rapid.Check(t, func(t *rapid.T) {
		for out, n := range map[string]*networks.Network{"x.bif": random(t, characters, distribution), "x.xml": random(t, characters+`"`, distribution)} {
			data := longtest.Must(n.Write(out))(t)
			again := longtest.Must(parsers("")[filepath.Ext(out)](data))(t)
			if !reflect.DeepEqual(again, n) {
				t.Errorf("%s\nis %+v\nand was %+v", data, again, n)
			}
		}
	})
}

// TestNotWritten: what a format cannot hold is refused.
func TestNotWritten(t *testing.T) {
	one := func(name string) *networks.Network {
		return &networks.Network{Bayes: true, Variables: []networks.Variable{{Name: name, Labels: []string{"x"}}},
			Factors: []networks.Factor{{Scope: []int{0}, Values: []float64{1}}}}
	}
	longtest.Refuses(one(`a"b`).Write("x.bif"))(t, "the network cannot be written in BIF with the name \"a\\\"b\": line 6: the name in quotes")
	longtest.Refuses(one("a\nb").Write("x.xml"))(t, "the network cannot be written in XMLBIF with the name \"a\\nb\": ")
	longtest.Refuses(one(" a").Write("x.xmlbif"))(t, "the network cannot be written in XMLBIF with the name \" a\": it reads as another network")
	longtest.Refuses(one("a").Write("x.net"))(t, `"x.net" has none of the endings of formats that are written: .bif, .xml, .xmlbif, .bifxml`)
	longtest.Refuses(one("a").Write("x.bif.gz"))(t, "none of the endings")
	longtest.Refuses(read(t, "grid33.uai", "").Write("x.bif"))(t, "BIF has Bayesian networks alone")
}

// TestQuotedNames: a name with a quote, which XML may have, stands in quotes in a selector, with
// its own quotes doubled.
func TestQuotedNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.xml")
	n := &networks.Network{Bayes: true, Variables: []networks.Variable{{Name: `a "b"`, Labels: []string{`"`, "y+"}}, {Name: "c", Labels: []string{"x"}}},
		Factors: []networks.Factor{{Scope: []int{0}, Values: []float64{0.25, 0.75}}, {Scope: []int{1}, Values: []float64{1}}}}
	longtest.NoError(t, os.WriteFile(path, longtest.Must(n.Write(path))(t), 0o600))
	for _, options := range []string{`:evidence="a ""b"""=""""`, `:hide="a ""b"""`} {
		q := longtest.Must(parse("xmlbif:" + path + options))(t)
		if q.Selector != path+options || len(q.Free()) != 1 {
			t.Errorf("%s: %s", options, q.Selector)
		}
	}
	longtest.Refuses(parse("xmlbif:"+path+`:hide="a "b"`))(t, "is no name")
}
