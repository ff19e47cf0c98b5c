package matrices_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/matrices"
	"breadboard/grid/longtest"
)

// gzipped returns data as a gzip file.
func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// file is a member of an archive.
type file struct {
	name, content string
}

// archive returns a tar archive, as a tool may write it.
func archive(files ...file) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Size: int64(len(f.content)), Mode: 0o644, Typeflag: tar.TypeReg}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if f.content == "link" {
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, "/etc/passwd", 0
		}
		if err := w.WriteHeader(h); err != nil {
			panic(err)
		}
		if h.Size > 0 {
			if _, err := io.WriteString(w, f.content); err != nil {
				panic(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// words returns whole numbers of 64 bits as a member has them, and floats those of float64.
func words(values ...uint64) string {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return string(b)
}

func floats(values ...float64) string {
	var bits []uint64
	for _, v := range values {
		bits = append(bits, math.Float64bits(v))
	}
	return words(bits...)
}

// index returns an index of two states, in which texts are replaced, in pairs.
func index(replaced ...string) file {
	const text = `{"format-version": 1, "format-revision": 0, "model-data": {"name": "two"}, "file-data": {"tool": "hand", "creation-date": 1},
"transition-system": {"time": "discrete", "#players": 0, "#states": 2, "#initial-states": 1, "#choices": 2, "#choice-actions": 0, "#branches": 4,
"#branch-actions": 0, "#observations": 0, "branch-probability-type": {"type": "double"}},
"annotations": {"aps": {"g": {"alias": "Goal", "applies-to": ["states"], "type": {"type": "bool", "size": 1}}, "none": {"applies-to": ["states"], "type": {"type": "bool"}}},
"rewards": {"r": {"applies-to": ["states", "branches"], "type": {"type": "double"}}, "b": {"applies-to": ["branches"], "type": {"type": "double"}}},
"of-others": {"s": {"applies-to": ["states"], "type": {"type": "string"}, "#strings": 1}}},
"valuations": {"states": {"unique": true, "classes": [{"variables": [{"name": "x", "type": {"type": "uint", "size": 8}}]}]}}}`
	return file{"index.json", strings.NewReplacer(replaced...).Replace(text)}
}

// two returns the members of a chain of two states: to 1 twice, with probability 0.25 and 0.5, and to 0; and back, or not.
func two() []file {
	return []file{
		index(),
		{"annotations/", ""},
		{"state-is-initial.bin", words(1)},
		{"choice-to-branches.bin", words(0, 3, 4)},
		{"branch-to-target.bin", words(1, 0, 1, 0)},
		{"branch-to-probability.bin", floats(0.25, 0.25, 0.5, 1)},
		{"annotations/aps/g/states/values.bin", words(2)},
		{"annotations/rewards/r/states/values.bin", floats(-1.5, 3)},
		{"annotations/rewards/r/branches/values.bin", floats(1, 2, 3, 4)},
		{"valuations/states/valuations.bin", "\x00\x01"},
	}
}

// with returns the members with one replaced, by its name, or left out where the content is nil.
func with(name string, content *string) []file {
	var list []file
	for _, f := range two() {
		if f.name == name && content != nil {
			f.content = *content
		}
		if f.name != name || content != nil {
			list = append(list, f)
		}
	}
	return list
}

func text(s string) *string { return &s }

// TestUMB: a file as another tool writes it, whatever the order of its members and however it is packed.
func TestUMB(t *testing.T) {
	back := two()
	slices.Reverse(back)
	dotted := two()
	for i := range dotted {
		dotted[i].name = "./" + dotted[i].name
	}
	for name, data := range map[string][]byte{"plain": archive(two()...), "gzip": gzipped(archive(two()...)), "backwards": archive(back...), "dotted": archive(dotted...)} {
		c, err := matrices.ParseUMB(data, 2)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := dense(&c.Rows); !slices.Equal(got, []float64{0.25, 0.75, 1, 0}) || len(c.P) != 3 {
			t.Errorf("%s: rows %v", name, got)
		}
		if got := fmt.Sprint(c.Labels, c.Rewards); got != "[{init [true false]} {Goal [false true]} {none [false false]}] [{r [-1.5 3]}]" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// rationals returns fractions of words of 64 bits, the numerators signed.
func rationals(pairs ...int64) string {
	var out []uint64
	for _, v := range pairs {
		out = append(out, uint64(v))
	}
	return words(out...)
}

// TestUMBFractions: fractions become the nearest float64, also of many bits.
func TestUMBFractions(t *testing.T) {
	typed := func(bits int) file {
		return index(`"branch-probability-type": {"type": "double"}`, fmt.Sprintf(`"branch-probability-type": {"type": "rational", "size": %d}`, bits))
	}
	narrow := with("branch-to-probability.bin", text(rationals(1, 3, 1, 3, 1, 3, 7, 7)))
	narrow[0] = typed(128)
	c, err := matrices.ParseUMB(archive(narrow...), 2)
	if err != nil || c.P[0] != 1.0/3 || c.P[1] != 2.0/3 || c.P[2] != 1 {
		t.Fatal(c, err)
	}
	wide := with("branch-to-probability.bin", text(words(1, 1<<63, 3, 1<<63)+words(0, 1, 0, 4)+words(0, 1, 0, 4)+words(5, 0, 5, 0))) // (2^127+1)/(2^127+3) is no double
	wide[0] = typed(256)
	if _, err := matrices.ParseUMB(archive(wide...), 2); err == nil || !strings.Contains(err.Error(), "branch 0, from state 0 to 1: -1 is no probability") { // two's complement
		t.Error(err)
	}
	for name, want := range map[string]string{rationals(1, 0, 1, 3, 1, 3, 7, 7): "offset 8: the denominator of a fraction is 0", rationals(-1, 3, 1, 3, 1, 3, 7, 7): "is no probability"} {
		wrong := with("branch-to-probability.bin", text(name))
		wrong[0] = typed(128)
		longtest.Refuses(matrices.ParseUMB(archive(wrong...), 2))(t, want)
	}
}

// TestUMBDefaults: what is left out stands for what the format says.
func TestUMBDefaults(t *testing.T) {
	permutation := archive(index(`"#branches": 4`, `"#branches": 2`), file{"branch-to-target.bin", words(1, 0)}, file{"branch-to-probability.bin", floats(1, 1)})
	home := archive(index(`"#branches": 4`, `"#branches": 2`), file{"branch-to-probability.bin", floats(1, 1)})
	for data, want := range map[string][]float64{string(permutation): {0, 1, 1, 0}, string(home): {1, 0, 1, 0}} {
		c, err := matrices.ParseUMB([]byte(data), 2)
		if err != nil || !slices.Equal(dense(&c.Rows), want) {
			t.Errorf("%v, %v, want %v", c, err, want)
		}
	}
}

// TestUMBRefused: what is no chain in discrete time is refused by its name, and what is damaged by its member and place.
func TestUMBRefused(t *testing.T) {
	indexed := func(replaced ...string) []byte {
		list := two()
		list[0] = index(replaced...)
		return archive(list...)
	}
	for want, data := range map[string][]byte{
		"member index.json: the format has version 2, and only version 1":                       indexed(`"format-version": 1`, `"format-version": 2`),
		"format-version is missing":                                                             indexed(`"format-version": 1, `, ""),
		"a Markov chain in continuous time":                                                     indexed(`"discrete"`, `"stochastic"`),
		`the time of the model is "urgent-stochastic"`:                                          indexed(`"discrete"`, `"urgent-stochastic"`),
		"the model has a player, as a Markov decision process":                                  indexed(`"#players": 0`, `"#players": 1`),
		"a game of 2 players":                                                                   indexed(`"#players": 0`, `"#players": 2`),
		"#players of transition-system is missing":                                              indexed(`"#players": 0, `, ""),
		"there are 3 states, and at most 2":                                                     indexed(`"#states": 2`, `"#states": 3`),
		"there are no states":                                                                   indexed(`"#states": 2`, `"#states": 0`),
		"2 states have 3 choices":                                                               indexed(`"#choices": 2`, `"#choices": 3`),
		"there are 18446744073709551615 branches":                                               indexed(`"#branches": 4`, `"#branches": 18446744073709551615`),
		"cannot unmarshal number -1":                                                            indexed(`"#branches": 4`, `"#branches": -1`),
		"branch-probability-type is double-interval":                                            indexed(`{"type": "double"}}`, `{"type": "double-interval"}}`),
		"branch-probability-type is missing":                                                    indexed(`, "branch-probability-type": {"type": "double"}`, ""),
		`branch-probability-type is "int"`:                                                      indexed(`{"type": "double"}}`, `{"type": "int"}}`),
		"double of 32 bits":                                                                     indexed(`{"type": "double"}}`, `{"type": "double", "size": 32}}`),
		"rational of 64 bits; it has a multiple of 128":                                         indexed(`{"type": "double"}}`, `{"type": "rational", "size": 64}}`),
		"rational of 1048576 bits":                                                              indexed(`{"type": "double"}}`, `{"type": "rational", "size": 1048576}}`),
		`"../x" is no name of an annotation`:                                                    indexed(`"g": {`, `"../x": {`),
		`the type of the label g is "int"`:                                                      indexed(`{"type": "bool", "size": 1}`, `{"type": "int"}`),
		`the type of reward r is "string"`:                                                      indexed(`"branches"], "type": {"type": "double"}`, `"branches"], "type": {"type": "string"}`),
		"r has a distribution for each state":                                                   indexed(`"r": {`, `"r": {"probability-type": {"type": "double"}, `),
		"no index of a UMB file":                                                                archive(file{"index.json", "{"}),
		"there is no member index.json":                                                         archive(two()[1:]...),
		"it has 1048577 bytes, and at most 1048576":                                             archive(file{"index.json", strings.Repeat(" ", 1<<20+1)}),
		"there is no member branch-to-probability.bin":                                          archive(with("branch-to-probability.bin", nil)...),
		"there is no member choice-to-branches.bin, which stands for one each":                  archive(with("choice-to-branches.bin", nil)...),
		"member branch-to-probability.bin: it has 8 bytes, and 32 follow from index.json":       archive(with("branch-to-probability.bin", text(floats(1)))...),
		"member choice-to-branches.bin: offset 0: it begins with 1":                             archive(with("choice-to-branches.bin", text(words(1, 3, 4)))...),
		"member choice-to-branches.bin: offset 8: 5 is beyond the last of 4":                    archive(with("choice-to-branches.bin", text(words(0, 5, 4)))...),
		"member choice-to-branches.bin: offset 16: 2 stands behind 3":                           archive(with("choice-to-branches.bin", text(words(0, 3, 2)))...),
		"member choice-to-branches.bin: offset 16: it ends with 3, and index.json has 4":        archive(with("choice-to-branches.bin", text(words(0, 3, 3)))...),
		"member branch-to-target.bin: offset 8: state 2 is none of 0 to 1":                      archive(with("branch-to-target.bin", text(words(1, 2, 1, 0)))...),
		"member branch-to-probability.bin: branch 1, from state 0 to 0: -0.5 is no probability": archive(with("branch-to-probability.bin", text(floats(1, -0.5, 0.5, 1)))...),
		"member branch-to-probability.bin: offset 24: NaN is no finite number":                  archive(with("branch-to-probability.bin", text(floats(1, 0, 0.5, math.NaN())))...),
		"member state-is-initial.bin: offset 0: a bit is set behind those of the 2 states":      archive(with("state-is-initial.bin", text(words(4)))...),
		"member state-to-choices.bin: state 0 has 2 choices":                                    archive(append(two(), file{"state-to-choices.bin", words(0, 2, 2)})...),
		"member branch-to-target.bin: it stands twice":                                          archive(append(two(), two()[4])...),
		`the member "../../etc/passwd" leads out of the archive`:                                archive(append(two(), file{"../../etc/passwd", "x"})...),
		`the member "a/.." leads out of the archive`:                                            archive(append(two(), file{"a/..", "x"})...),
		`the member "..\\x" leads out of the archive`:                                           archive(append(two(), file{`..\x`, "x"})...),
		`the member "/index.json" leads out`:                                                    archive(file{"/index.json", "{}"}),
		"member branch-to-target.bin: it is no file but a link":                                 archive(with("branch-to-target.bin", text("link"))...),
		"compressed with xz":                                                                    []byte("\xfd7zXZ\x00rest"),
		"no gzip file":                                                                          []byte("\x1f\x8brest"),
		"it is no tar file, or one that is cut off":                                             archive(two()...)[:300],
		"no tar file": []byte("not at all"),
	} {
		longtest.Refuses(matrices.ParseUMB(data, 2))(t, want)
	}
}

// TestUMBHostile: what an archive says of its sizes takes no memory, and unpacking ends.
func TestUMBHostile(t *testing.T) {
	longtest.NotShort(t)
	many := []file{index()}
	for i := range 10_001 {
		many = append(many, file{fmt.Sprintf("m%d", i), ""})
	}
	promised := func(branches uint64) []byte { // a header that promises so many, with nothing behind it
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		f := index(`"#branches": 4`, fmt.Sprintf(`"#branches": %d`, branches))
		for _, m := range []file{f, {"branch-to-target.bin", ""}} {
			size := int64(len(m.content))
			if size == 0 {
				size = int64(8 * branches)
			}
			longtest.NoError(t, w.WriteHeader(&tar.Header{Name: m.name, Size: size, Typeflag: tar.TypeReg}))
			longtest.Must(io.WriteString(w, m.content))(t)
		}
		return b.Bytes()
	}
	large := two()
	large[0] = index(`"#branches": 4`, `"#branches": 33554432`, `{"type": "double"}}`, `{"type": "rational", "size": 4096}}`)
	for want, data := range map[string][]byte{
		"it has more than 10000 members":                        archive(many...),
		"134217728 bytes are promised, and the whole file has ": promised(1 << 24),
		"it is cut off": promised(1000),
		"the members would have more than 1073741824 bytes": archive(large...),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := matrices.ParseUMB(data, 2)
		runtime.ReadMemStats(&after)
		longtest.Refused(t, err, want)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
			t.Errorf("%s: %d bytes were allocated to refuse it", want, taken)
		}
	}
}

// TestUMBBomb: an archive that unpacks to more than is read is given up.
func TestUMBBomb(t *testing.T) {
	longtest.Only(t)
	var b bytes.Buffer
	longtest.NoError(t, tar.NewWriter(&b).WriteHeader(&tar.Header{Name: "zeros", Size: 2 << 30, Typeflag: tar.TypeReg}))
	bomb := gzipped(b.Bytes())
	zeros := gzipped(make([]byte, 1<<20))
	for range 2 << 10 { // a file of several parts is one
		bomb = append(bomb, zeros...)
	}
	longtest.Refuses(matrices.ParseUMB(bomb, 2))(t, "unpacks to more than")
}

func FuzzParseMatrixMarket(f *testing.F) {
	f.Add([]byte(market + "coordinate real symmetric\n2 2 2\n2 1 0.5\n1 1 .5\n"))
	f.Add([]byte(market + "array real general\n2 2\n1 0 0 1\n"))
	fuzzRows(f, matrices.ParseMatrixMarket)
}

func FuzzParseTransitions(f *testing.F) {
	f.Add([]byte("# Transitions (DTMC)\n2 3\n0 1 1/2 a\n0 0 0.5\n1 1 1\n"))
	f.Add([]byte("2 3 3\n0 0 1 0.5 a\n"))
	fuzzRows(f, matrices.ParseTransitions)
}

func FuzzParseUMB(f *testing.F) {
	f.Add(archive(two()...))
	f.Add(gzipped(archive(two()...)))
	fuzzRows(f, func(data []byte, most int) (*matrices.Rows, error) {
		c, err := matrices.ParseUMB(data, most)
		if err != nil {
			return nil, err
		}
		for _, r := range c.Rewards {
			if len(r.Values) != c.Len() {
				return nil, nil
			}
		}
		return &c.Rows, nil
	})
}

// fuzzRows holds a parser to rows that can be used and written, whatever it reads.
func fuzzRows(f *testing.F, parse func(data []byte, most int) (*matrices.Rows, error)) {
	const most = 20
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parse(data, most)
		if err != nil {
			return
		}
		if r.Len() > most || r.Starts[0] != 0 || r.Starts[r.Len()] != len(r.P) || len(r.To) != len(r.P) {
			t.Fatalf("rows %v", r)
		}
		for x := range r.Len() {
			to, p := r.Row(x)
			for i := range to {
				if to[i] < 0 || int(to[i]) >= r.Len() || i > 0 && to[i-1] >= to[i] || !(p[i] > 0) || math.IsInf(p[i], 0) {
					t.Fatalf("row %d: %v %v", x, to, p)
				}
			}
		}
	})
}

func FuzzParseLabels(f *testing.F) {
	f.Add([]byte("0=\"init\" 1=\"goal\"\n0: 0 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		labels, err := matrices.ParseLabels(data, 5)
		if err != nil {
			return
		}
		if again, err := matrices.ParseLabels(matrices.LabelsText(labels), 5); err != nil || len(again) != len(labels) {
			t.Fatalf("%v became %v, %v", labels, again, err)
		}
	})
}

func FuzzParseRewards(f *testing.F) {
	f.Add([]byte("# Reward structure \"r\"\n2 1\n0 1.5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := matrices.ParseRewards(data, 5)
		if err != nil {
			return
		}
		if again, err := matrices.ParseRewards(matrices.RewardText(r), 5); err != nil || !slices.Equal(again.Values, r.Values) {
			t.Fatalf("%v became %v, %v", r, again, err)
		}
	})
}
