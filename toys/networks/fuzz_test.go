package networks_test

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// bound keeps a fuzzing process within a gigabyte: what would take more makes the collector run all the time, and the fuzzer sees a hang.
func bound(f *testing.F) {
	before := debug.SetMemoryLimit(1 << 30)
	f.Cleanup(func() { debug.SetMemoryLimit(before) })
}

// seeds adds the files of testdata that match a pattern, and the texts of a file of bad input.
func seeds(f *testing.F, bad string, patterns ...string) {
	for _, pattern := range patterns {
		for _, path := range longtest.Sure(filepath.Glob(filepath.Join("testdata", pattern))) {
			f.Add(longtest.Sure(os.ReadFile(path)))
		}
	}
	for _, c := range mistakes(f, bad) {
		f.Add([]byte(c[1]))
	}
}

// checkNetwork fails where a network that was read is not what the doc comment of Network promises.
func checkNetwork(t *testing.T, n *networks.Network) {
	t.Helper()
	cards := n.Cards()
	for _, k := range cards {
		if k < 1 {
			t.Fatal("a variable has no values")
		}
	}
	for i, f := range n.Factors {
		size, seen := 1, map[int]bool{}
		for _, v := range f.Scope {
			if seen[v] {
				t.Fatalf("factor %d has variable %d twice", i, v)
			}
			seen[v], size = true, size*cards[v]
		}
		if len(f.Values) != size {
			t.Fatalf("factor %d has %d entries of %d", i, len(f.Values), size)
		}
		for _, v := range f.Values {
			if !(v >= 0) || math.IsInf(v, 1) {
				t.Fatalf("factor %d has the entry %v", i, v)
			}
		}
		if n.Bayes {
			checkLaw(t, i, f, cards)
		}
	}
	if n.Bayes && len(n.Factors) != len(cards) {
		t.Fatalf("%d variables have %d laws", len(cards), len(n.Factors))
	}
}

// checkLaw fails where a factor is not the law of the variable of its number.
func checkLaw(t *testing.T, v int, f networks.Factor, cards []int) {
	t.Helper()
	if f.Scope[len(f.Scope)-1] != v {
		t.Fatalf("factor %d has the scope %v", v, f.Scope)
	}
	for c := 0; c < len(f.Values); c += cards[v] {
		sum := 0.0
		for _, p := range f.Values[c : c+cards[v]] {
			sum += p
		}
		if math.Abs(sum-1) > 1.1e-9 {
			t.Fatalf("variable %d has probabilities that sum to %v", v, sum)
		}
	}
}

// FuzzParseBIF: what is read keeps the promises of Network, and what is not has an error with a cure.
func FuzzParseBIF(f *testing.F) {
	bound(f)
	seeds(f, "bad_bif.txt", "*.bif", "same/*.bif")
	f.Add([]byte(strings.Repeat("network ", 1000)))
	f.Add([]byte(strings.Repeat("{(", 1000)))
	f.Add([]byte("/*" + strings.Repeat("/*", 1000)))
	f.Add([]byte("variable a { type discrete [ 2 ] { x, y }; } probability ( a ) { " + strings.Repeat("( ", 1000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, order := range []networks.TableOrder{networks.ChildSlowest, networks.ChildFastest} {
			if n, err := networks.ParseBIF(data, order); err == nil {
				checkNetwork(t, n)
			} else if err.Error() == "" || len(err.Error()) > 20_000 {
				t.Errorf("the error has %d characters", len(err.Error()))
			}
		}
	})
}

// FuzzParseUAI: the same of the other format.
func FuzzParseUAI(f *testing.F) {
	bound(f)
	seeds(f, "bad_uai.txt", "*.uai", "same/*.uai")
	f.Add([]byte("MARKOV 1 65536 0"))
	f.Add([]byte("MARKOV\n" + strings.Repeat("9", 400)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := networks.ParseUAI(data); err == nil {
			checkNetwork(t, n)
		} else if err.Error() == "" || len(err.Error()) > 20_000 {
			t.Errorf("the error has %d characters", len(err.Error()))
		}
	})
}

// FuzzSelector: whatever stands behind the path of a network is read as a query with a canonical selector that is read as the same query, or it
// is refused.
func FuzzSelector(f *testing.F) {
	bound(f)
	for _, options := range []string{
		"", ":evidence=xray=yes+dysp=no", ":hide=either:evidence=\"lung\"=yes", ":keep=tub+lung", ":table=child-fastest", ":evidence=", ":hide=a:hide=b",
		`:evidence="a+b"="c:d"`, `:evidence="`, ":evidence=lung=yes=no", ":hide=\"\"", ":evidence=3=1", ":evidence=7=0+6=1:keep=x0+x1",
	} {
		f.Add(options)
	}
	f.Fuzz(func(t *testing.T, options string) {
		if strings.Contains(options, "evidence=") && !strings.Contains(strings.ReplaceAll(options, "evidence=", ""), "=") {
			return // names a file
		}
		for _, file := range []string{"bif:testdata/asia.bif", "uai:testdata/asia.uai"} {
			q, err := parse(file + options)
			if err != nil {
				continue
			}
			name, _, _ := strings.Cut(file, ":")
			again, err := parse(name + ":" + q.Selector)
			if err != nil || again.Selector != q.Selector || !sameQuestion(again, q) {
				t.Errorf("%s%s calls itself %s, which is %v, %v", file, options, q.Selector, again, err)
			}
		}
	})
}

// sameQuestion reports whether two queries ask the same.
func sameQuestion(a, b *networks.Query) bool {
	for v := range a.Variables {
		if a.Evidence[v] != b.Evidence[v] || a.Hidden[v] != b.Hidden[v] {
			return false
		}
	}
	return true
}

// FuzzEvidence: a file of evidence is read, or refused with an error.
func FuzzEvidence(f *testing.F) {
	bound(f)
	seeds(f, "bad_evid.txt", "*.evid", "*.txt")
	path := filepath.Join(f.TempDir(), "e")
	f.Fuzz(func(t *testing.T, data []byte) {
		longtest.Must(t, os.WriteFile(path, data, 0o600))
		for _, network := range []string{"bif:testdata/asia.bif", "uai:testdata/asia.uai"} {
			q, err := parse(network + ":evidence=" + path)
			if err != nil {
				continue
			}
			for v, value := range q.Evidence {
				if value < networks.Unseen || value >= len(q.Variables[v].Labels) {
					t.Errorf("variable %d has the value %d", v, value)
				}
			}
		}
	})
}
