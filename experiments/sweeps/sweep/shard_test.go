package sweep

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func TestParseShard(t *testing.T) {
	const (
		slurm = "SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=12 " +
			"SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=6 "
		sge = "SGE_TASK_ID=3 SGE_TASK_FIRST=1 SGE_TASK_LAST=6 SGE_TASK_STEPSIZE=1 "
	)
	of := func(env string) func(name string) string { // of two values of a name the second one counts
		values := map[string]string{}
		for _, field := range strings.Fields(env) {
			name, value, _ := strings.Cut(field, "=")
			values[name] = value
		}
		return func(name string) string { return values[name] }
	}
	for _, c := range []struct {
		text   string
		env    string
		want   string
		source string
	}{
		{"2/6", slurm, "2/6", ""},
		{"1/1", "", "1/1", ""},
		{"auto", "", "1/1", ""},
		{"auto", slurm, "2/6", "SLURM_ARRAY_TASK_ID"},
		{"auto", slurm + "SLURM_ARRAY_TASK_ID=12", "6/6", "SLURM_ARRAY_TASK_ID"},
		{"auto", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=5",
			"1/6", "SLURM_ARRAY_TASK_ID"},
		{"auto/9", slurm, "4/9", "SLURM_ARRAY_TASK_ID"},
		{"auto", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4", "3/4", "SLURM_ARRAY_TASK_ID"},
		{"auto", sge, "3/6", "SGE_TASK_ID"},
		{"auto", "SGE_TASK_ID=undefined", "1/1", ""},
		{"auto", "PARALLEL_SEQ=3", "1/1", ""},
		{"auto/4", "PARALLEL_SEQ=3", "3/4", "PARALLEL_SEQ"},
		{"auto/4", "JOB_COMPLETION_INDEX=0", "1/4", "JOB_COMPLETION_INDEX"},
		{"auto/4", "JOB_COMPLETION_INDEX=3", "4/4", "JOB_COMPLETION_INDEX"},
	} {
		s, source, err := ParseShard(c.text, of(c.env))
		if err != nil || s.String() != c.want || source != c.source {
			t.Errorf("%s in %v: %v from %q, %v; want %s from %q", c.text, c.env, s, source, err, c.want, c.source)
		}
	}
	for _, c := range []struct {
		text string
		env  string
		want string
	}{
		{"", "", "write I/N, auto/N or auto"}, {"3", "", "write I/N"}, {"7/6", "", "no part 7 of 6"},
		{"0/6", "", `"0" is not a whole number from 1`},
		{"1/0", "", `"0" is not a whole number`}, {"-1/6", "", `"-1" is no`}, {"+1/6", "", `"+1" is no`},
		{"1/6/2", "", `"6/2" is no`},
		{"1/1e9", "", `"1e9" is no`}, {"/", "", `"" is no`},
		{"auto/", "", `"" is no`}, {"auto/4", "", "none of SLURM_ARRAY_TASK_ID"},
		{"auto/x", slurm, `"x" is no`},
		{"auto", "JOB_COMPLETION_INDEX=3", "give shard auto/N"},
		{"auto/4", "JOB_COMPLETION_INDEX=4", "no part 5 of 4"},
		{"auto/4", "JOB_COMPLETION_INDEX=x", "not a whole number"},
		{"auto", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=4", "number the tasks from 1"},
		{"auto", "SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=4", "no part 5 of 4"},
		{"auto", "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=x", "SLURM_ARRAY_TASK_COUNT: "},
		{"auto/4", "JOB_COMPLETION_INDEX=9223372036854775807", "not a whole number below 1000000"},
		{"auto/4", "JOB_COMPLETION_INDEX=1000000", "not a whole number below 1000000"},
		{"auto/4", "PARALLEL_SEQ=5", "no part 5 of 4"},
		{"auto/2", slurm, "no part 4 of 2"},
		{"auto/2", slurm + "SLURM_ARRAY_TASK_ID=0", "number the tasks from 1"},
		{"auto", slurm + "SLURM_ARRAY_TASK_COUNT=4", "with gaps"},
		{"auto", slurm + "SLURM_ARRAY_TASK_ID=3", "not among 2 to 12 by 2"},
		{"auto", slurm + "SLURM_ARRAY_TASK_ID=x", `SLURM_ARRAY_TASK_ID is "x"`},
		{"auto", slurm + "SLURM_ARRAY_TASK_MAX=", `SLURM_ARRAY_TASK_MAX is ""`},
		{"auto", sge + "SGE_TASK_LAST=undefined", `SGE_TASK_LAST is "undefined"`},
	} {
		if s, _, err := ParseShard(c.text, of(c.env)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %v: %v, %v; want %q", c.text, c.env, s, err, c.want)
		}
	}
}

// TestPlan: the estimates add up.
func TestPlan(t *testing.T) {
	s := mustSweep(t,
		"[grid]\ntoy=['easy']\nT=[11, 101]\nkernel=['metropolis','heatbath']\n[[case]]\ntoy='random:1:0:4x4x4'\nT=2")
	p := mustPlan(t, s)
	plane := grid.MustNew(7, 7)
	cube := grid.MustNew(4, 4, 4)
	heat := longtest.Must(kernels.Parse("heatbath", plane))(t)
	seconds := func(k chains.Kernel, space grid.Graph) float64 { return exact.WorkOf(k, space, nil).Seconds }
	want := 5*cellCost + 110*(seconds(kernels.Metropolis{Space: plane}, plane)+seconds(heat, plane)) +
		seconds(kernels.Metropolis{Space: cube}, cube)
	if p.Cells != 5 || p.GridCells != 4 || p.Cases != 1 || p.States != 64 || p.Steps != 221 ||
		math.Abs(p.Time.Seconds()-want) > 1e-6 {
		t.Errorf("%+v, want %v seconds", p, want)
	}
}

// TestCellsAreDealtForthAndBack: of cells sorted by their cost, three shards get the first, sixth,
// seventh and twelfth, the second, fifth, eighth and eleventh, and the rest, so that none has the
// dearer of every pair.
func TestCellsAreDealtForthAndBack(t *testing.T) {
	costs := make([]float64, 12)
	for i := range costs {
		costs[i] = float64(100 - i)
	}
	s := &Sweep{}
	for i, want := range [][]int{{0, 5, 6, 11}, {1, 4, 7, 10}, {2, 3, 8, 9}} {
		if got := s.shardCells(Shard{i + 1, 3}, costs); !slices.Equal(got, want) {
			t.Errorf("shard %d of 3 has the cells %v, want %v", i+1, got, want)
		}
	}
	// Costs that differ by less than half a microsecond are the same, and keep the order of the
	// cells.
	if got := s.shardCells(Shard{1, 1}, []float64{1, 1 + 0.4e-6, 2, 1 + 0.6e-6}); !slices.Equal(
		got,
		[]int{2, 3, 0, 1},
	) {
		t.Errorf("the order is %v", got)
	}
}
