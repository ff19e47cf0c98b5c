package schedules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

func betasOf(s chains.Schedule) []float64 {
	p := s.(*schedules.Points)
	out := make([]float64, p.Len())
	for t := range out {
		out[t] = p.Beta(t+1, p.Len())
	}
	return out
}

// TestPointFiles: a schedule is the same from text, with blanks or line ends of any kind, from .npy and from .npz.
func TestPointFiles(t *testing.T) {
	want := []float64{0, 0.1, 0.30000000000000004, 1}
	var archive bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&archive, []numpy.Member{{Name: "other", Data: numpy.Floats(want, 2, 2)}, {Name: "beta", Data: numpy.Floats(want, 4)}}))
	dir := t.TempDir()
	for name, data := range map[string]string{
		"a.csv": "\ufeff0\r\n# a comment\r\n\r\n0.1\r\n0.30000000000000004\r\n1", "b.txt": "0 0.1\t0.30000000000000004\n  1\n",
		"c.npy": string(numpy.Floats(want, 4)), "d.npz": archive.String(), "e.npy": string(numpy.Floats(want, 2, 2)), "f.npy": "not", "g.csv": "\xff\xfe0\x00",
	} {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644))
	}
	parse := func(name string) (chains.Schedule, error) {
		return schedules.Forms().Parse("file:"+filepath.Join(dir, name), selector.Nothing{})
	}
	for _, name := range []string{"a.csv", "b.txt", "c.npy", "d.npz#beta"} {
		if s, err := parse(name); err != nil || !slices.Equal(betasOf(s), want) || s.String() != "file:"+filepath.Join(dir, name) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	for name, reason := range map[string]string{
		"d.npz": "has 2 arrays", "d.npz#other": "the array has 2 dimensions; a schedule has one", "e.npy": "2 dimensions", "f.npy": "no .npy file", "g.csv": "UTF-16",
	} {
		if _, err := parse(name); err == nil || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want one with %q", name, err, reason)
		}
	}
}
