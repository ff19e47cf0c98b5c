package experiments_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/toys"
)

// TestKeyOfArchive: a case that is read from an array of an archive has the key of the same numbers in text, wherever the archive is.
func TestKeyOfArchive(t *testing.T) {
	dir := t.TempDir()
	text := write(t, filepath.Join(dir, "g.csv"), "0,1\n0.5,0\n")
	var archive bytes.Buffer
	if err := numpy.WriteArchive(&archive, []numpy.Member{
		{Name: "beta", Data: numpy.Floats([]float64{0, 0.5, 1}, 3)}, {Name: "g", Data: numpy.Floats([]float64{0, 1, 0.5, 0}, 2, 2)},
	}); err != nil {
		t.Fatal(err)
	}
	betas := write(t, filepath.Join(dir, "b.csv"), "0\n0.5\n1\n")
	want := oneCase(t, "file:"+text, "via:0.5:"+text, "file:"+text, "file:"+betas, "metropolis")
	for _, name := range []string{"a.npz", "elsewhere.npz"} {
		path := write(t, filepath.Join(dir, name), archive.String())
		got := oneCase(t, "file:"+path+"#g", "via:0.5:"+path+"#g", "file:"+path+"#g", "file:"+path+"#beta", "metropolis")
		if got.Key() != want.Key() || strings.Contains(got.Key(), name) {
			t.Errorf("the key is %s, and with text %s", got.Key(), want.Key())
		}
		for _, selector := range []string{"file:" + path + "#g", "via:0.5:" + path + "#g", "prob:" + path + "#g"} {
			if toys.FileOf(selector) != path {
				t.Errorf("%s names the file %q", selector, toys.FileOf(selector))
			}
		}
	}
}
