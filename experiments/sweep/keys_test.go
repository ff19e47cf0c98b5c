package sweep

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestKeysNeverChange: the keys in testdata/keys.txt were computed by the first version that had sweeps, and results under them
// lie in folders. All selectors of keys.toml were in canonical form then.
func TestKeysNeverChange(t *testing.T) {
	spec, err := os.ReadFile("testdata/keys.toml")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := mustSweep(t, string(spec))
	var got strings.Builder
	fmt.Fprintf(&got, "%v sweep\n", s.ID())
	for i := range s.Len() {
		fmt.Fprintf(&got, "%v %s\n", s.Key(s.Cell(i)), strings.Join(texts(s.Cell(i)), " "))
	}
	if got.String() != string(want) {
		t.Errorf("keys\n%s\nwant\n%s", got.String(), want)
	}
}

// TestOneCellHoweverWritten: cells that differ in how a selector is written are one.
func TestOneCellHoweverWritten(t *testing.T) {
	for _, c := range [][3]string{
		{"initial", "tempered:0.5", "tempered:.5"}, {"initial", "smoothed:3", "smoothed:03"}, {"path", "q:0.5", "q:.5"}, {"path", "q:0", "q:-0"},
		{"path", "via:0.3:testdata/middle.csv", "via:.3:testdata/middle.csv"}, {"path", "via:0.5:testdata/middle.csv", "via:testdata/middle.csv"},
		{"toy", "random:2:7:2x2", "random:2.0:07:02x2"}, {"schedule", "geometric:0.01", "geometric"}, {"kernel", "lazy:0.5:barker", "lazy:.5:barker"},
	} {
		cell := func(selector string) (string, Key) {
			values := map[string]string{"toy": "random:1:0:2x2", c[0]: selector}
			text := "[[case]]\nT=3\n"
			for name, v := range values {
				text += name + "='" + v + "'\n"
			}
			s := mustSweep(t, text)
			return s.Cell(0).Get(c[0]), s.Key(s.Cell(0))
		}
		name, key := cell(c[1])
		if again, other := cell(c[2]); name != c[1] || again != name || other != key {
			t.Errorf("%s %s is %s with key %v, and %s is %s with key %v", c[0], c[1], name, key, c[2], again, other)
		}
		if _, err := resolve("x", fmt.Sprintf("[grid]\ntoy=['random:1:0:2x2']\nT=[3]\n%s=['%s', '%s']", c[0], c[1], c[2])); c[0] != "toy" && (err == nil || !strings.Contains(err.Error(), "is there twice")) {
			t.Errorf("%s and %s in one grid: %v", c[1], c[2], err)
		}
	}
}
