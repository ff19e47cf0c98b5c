package networks_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// TestPacked: a network that gzip has compressed is the same, and its format is known by the ending
// before .gz, as of the files of bnlearn's repository.
func TestPacked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asia.bif.gz")
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	longtest.Must(w.Write(longtest.Must(os.ReadFile("testdata/asia.bif"))(t)))(t)
	longtest.NoError(t, w.Close())
	longtest.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	q, selector, err := networks.Open(path, "", "")
	longtest.NoError(t, err)
	if want := read(t, "asia.bif", networks.ChildSlowest); selector != "bif:"+path ||
		!reflect.DeepEqual(q.Network, want) {
		t.Errorf("%s: %v, want %v", selector, q.Network, want)
	}
}

// TestOtherWriters: probabilities, by hand, in files as aGrUM, bnlearn and the examples of UAI
// solvers have them.
func TestOtherWriters(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	chain := write("chain.uai", "MARKOV\n3\n2 2 2\n3\n2 0 1\n2 1 2\n1 0\n4\n 1 2 3 4\n4\n 5 1 1 2\n2\n 1 3\n")
	comments := write("comments.uai",
		"BAYES\n2\n2 3 # sizes\n2\n1 0   # rain\n2 0 1   #grass\n\n2\n 0.2 0.8\n6\n 0.7 0.2 0.1\n 0.1 0.3 0.6\n# end")
	intervals := write("intervals.bif", `network unknown { }
variable age(y) { type discrete [ 3 ] { [0_18], _18_65], _65_99] }; }
variable 2sick { type discrete [ 2 ] { no, sick(flu) }; }
probability ( age(y) ) { table 0.2, 0.5, 0.3; }
probability ( 2sick | age(y) ) { ([0_18]) 0.9, 0.1; (_18_65]) 0.8, 0.2; (_65_99]) 0.6, 0.4; }
`)
	after := write("after.bif", `variable a { type discrete [ 2 ] { u(v), w }; }
variable b { type discrete [ 2 ] { no, yes }; }
probability (a) { table 0.25, 0.75; }
probability(b|a){(u(v))0.9,0.1;(w)0.5,0.5;}
`)
	// The second value of the first variable has the probability 0, so that the third has its first
	// value alone.
	zeros := write("zeros.uai", "BAYES\n3\n2 2 2\n3\n1 0\n2 0 1\n2 1 2\n2 1 0\n4 1 0 0 0\n4 0.25 0.75 0 0\n")
	longtest.Refuses(parse("uai:"+write("possible.uai", "BAYES\n2\n2 2\n2\n1 0\n2 0 1\n2 0.5 0.5\n4 1 0 0 0\n")))(t,
		"line 8: the probabilities of x1 given x0=1 sum to 0; make them sum to 1")
	// The third variable rules out the second value of the first, given which the second has zeros
	// alone.
	excluded := write("excluded.uai",
		"BAYES\n3\n2 2 2\n3\n1 0\n2 0 1\n2 0 2\n2 0.5 0.5\n4 0.25 0.75 0 0\n4 0.5 0.5 0 1\n")
	longtest.Refuses(parse("uai:"+excluded+":evidence=2=1"))(t,
		"line 9: the probabilities of x1 given x0=1 sum to 0; make them sum to 1, within 0.001, or give evidence")
	// b is a copy of a, so that the rows of c where they differ are never asked for. Nor are those
	// of d where the parity of a, b and e is odd: e is their sum modulo 2. f rules out that g and h
	// differ.
	joint := func(rows string) string {
		return `network unknown { }
variable a { type discrete [ 2 ] { no, yes }; } variable b { type discrete [ 2 ] { no, yes }; } variable c { type discrete [ 2 ] { no, yes }; }
variable d { type discrete [ 2 ] { no, yes }; } variable e { type discrete [ 2 ] { no, yes }; } variable f { type discrete [ 2 ] { no, yes }; }
variable g { type discrete [ 2 ] { no, yes }; } variable h { type discrete [ 2 ] { no, yes }; } variable i { type discrete [ 2 ] { no, yes }; }
probability ( c | b, a ) { (no, no) 0.5, 0.5; (yes, no) 0, 0; (no, yes) 0, 0; (yes, yes) 0.3, 0.7; }
probability ( d | a, g, e ) { (no, no, no) 1, 0; (no, yes, yes) 0.5, 0.5; (yes, no, yes) 0, 1; (yes, yes, no) 0.5, 0.5; default 0, 0; }
probability ( e | g, a ) { (no, no) 1, 0; (yes, yes) 1, 0; default 0, 1; }
probability ( g ) { table 0.5, 0.5; } probability ( h ) { table 0.5, 0.5; } probability ( a ) { table 0.4, 0.6; }
probability ( f | g, h ) { (no, no) 0, 1; (yes, yes) 0, 1; default 1, 0; }
` + rows
	}
	const copied = "probability ( b | a ) { (no) 1, 0; (yes) 0, 1; }\n"
	both := write("both.bif", joint(copied+"probability ( i ) { table 0.5, 0.5; }"))
	ruled := write("ruled.bif",
		joint(copied+"probability ( i | h, g ) { (no, no) 0.5, 0.5; (yes, yes) 0.1, 0.9; default 0, 0; }"))
	for selected, where := range map[string]string{
		write("nearly.bif", joint(
			"probability ( b | a ) { (no) 1, 0; (yes) 1e-300, 1; } probability ( i ) { table 0.5, 0.5; }",
		)): "c given b=no, a=yes",
		ruled:                    "i given h=",
		ruled + ":evidence=f=no": "i given h=",
	} {
		longtest.Refuses(parse("bif:"+selected))(t, "the probabilities of "+where)
	}
	// A lattice that is too wide for elimination, of which x1 at the far corner has a copy, which
	// its own row shows; or a copy of a copy, which it does not.
	const side = 40
	wide := func(copies string) string {
		var first, last strings.Builder
		fmt.Fprintf(&first, "BAYES\n%d\n%s%d\n", side*side+3, strings.Repeat("2 ", side*side+3), side*side+3)
		for v := range side * side {
			switch row, column := v/side, v%side; {
			case v == 0:
				first.WriteString("1 0\n")
				last.WriteString("2 0.5 0.5\n")
			case row == 0 || column == 0:
				fmt.Fprintf(&first, "2 %d %d\n", v-min(v, map[bool]int{true: 1, false: side}[row == 0]), v)
				last.WriteString("4 0.5 0.5 0.25 0.75\n")
			default:
				fmt.Fprintf(&first, "3 %d %d %d\n", v-side, v-1, v)
				last.WriteString("8 0.5 0.5 0.25 0.75 0.25 0.75 0.125 0.875\n")
			}
		}
		return first.String() + fmt.Sprintf(copies, side*side-1, side*side, side*side+1, side*side+2) +
			last.String() + "4 1 0 0 1\n4 1 0 0 1\n8 0.5 0.5 0 0 0 0 0.5 0.5\n"
	}
	if _, err := parse(
		"uai:" + write("wide.uai", wide("2 %[1]d %[2]d\n2 %[1]d %[3]d\n3 %[1]d %[2]d %[4]d\n")),
	); err != nil {
		t.Error(err)
	}
	if longtest.Enabled() {
		longtest.Refuses(
			parse("uai:"+write("wider.uai", wide("2 %[1]d %[2]d\n2 %[2]d %[3]d\n3 %[1]d %[3]d %[4]d\n"))),
		)(t,
			"x1602 given x1599=0, x1601=1 sum to 0, and whether its parents can have these values is not "+
				"known: elimination has width 4")
	}
	for _, c := range []struct {
		selector string
		logZ     float64
		variable int
		last     float64 // the probability of the last value of the variable
	}{
		{"uai:" + chain + ":evidence=" + write("lines.evid", "2\n0 1\n2 0\n"), math.Log(57), 1, 12.0 / 57},
		{"uai:" + chain + ":evidence=" + write("one.evid", "2 0 1 2 0"), math.Log(57), 1, 12.0 / 57},
		{"uai:" + chain + ":evidence=" + write("older.evid", "2\n0\n1 2 0\n") + "#1", math.Log(102), 0,
			90.0 / 102},
		{"uai:" + comments, 0, 1, 0.5},
		{"bif:" + intervals, 0, 1, 0.24},
		{"bif:" + after, 0, 1, 0.4},
		{"uai:" + zeros, 0, 2, 0.75},
		{"bif:" + both, 0, 2, 0.62},
		{"bif:" + both, 0, 3, 0.55},
		{"bif:" + both + ":evidence=c=no", math.Log(0.38), 0, 0.18 / 0.38},
		{"bif:" + ruled + ":evidence=f=yes", math.Log(0.5), 8, 0.7},
		{"uai:" + excluded + ":evidence=2=0", math.Log(0.25), 1, 0.75},
	} {
		q := longtest.Must(parse(c.selector))(t)
		found := longtest.Must(q.Infer(t.Context(), networks.Outputs{Marginals: true}))(t)
		m := found.Marginals[c.variable]
		if last := m[len(m)-1]; math.Abs(found.LogZ-c.logZ) > 1e-14 || math.Abs(last-c.last) > 1e-15 {
			t.Errorf("%s: log Z %v and %v, want %v and %v", c.selector, found.LogZ, last, c.logZ, c.last)
		}
	}
}
