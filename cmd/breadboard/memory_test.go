package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"

	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/views"
)

// peakOf returns the most bytes that are in use at the end of a collection of garbage while run
// runs, above those before.
func peakOf(run func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	var most atomic.Uint64
	var done atomic.Bool
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	runtime.GC()
	runtime.GC()
	before := inUse()
	type mark struct{ _ *mark }
	var collected func(*mark)
	collected = func(m *mark) { // runs after each collection
		if most.Store(max(most.Load(), inUse())); !done.Load() {
			runtime.SetFinalizer(m, collected)
		}
	}
	runtime.SetFinalizer(&mark{}, collected)
	run()
	done.Store(true)
	return float64(most.Load()) - float64(before)
}

// TestMemory: the estimate of the bytes of a study is within 30 % of what it takes, at three sizes.
// It runs in a process of its own, in which no other test has left memory to be collected.
func TestMemory(t *testing.T) {
	longtest.Rare(t)
	if os.Getenv("MEMORY_ALONE") == "" {
		alone := exec.Command(os.Args[0], "-test.run=^TestMemory$", "-test.v", "-long=2")
		alone.Env = append(os.Environ(), "MEMORY_ALONE=1")
		if out, err := alone.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for _, c := range []struct{ name, option, value string }{
		{"tightness", "", ""}, {"gap", "", ""}, {"success", "", ""}, {"subjective", "moves", "10"}, {"ais", "chains", "10"},
	} {
		s := views.Catalogue()[slices.IndexFunc(views.Catalogue(), func(s *views.Entry) bool { return s.Name == c.name })]
		for _, side := range []int{150, 220, 310} {
			o := s.NewOptions()
			for _, option := range s.Options {
				if option.Name == c.option {
					if err := option.Value(o).Set(c.value); err != nil {
						t.Fatal(err)
					}
				}
			}
			var estimate subject.Cost
			took := peakOf(func() {
				on, err := subject.Selection{Toys: []string{fmt.Sprintf("random:2:1:%dx%d", side, side)}, Distributions: []int{10}, Path: "geometric",
					Schedule: "linear", Kernel: "metropolis"}.Cases(subject.WithSizes(t.Context(), s.Affords(o, study.How{}, math.Inf(1), &estimate)))
				if err == nil {
					_, err = s.Run(context.Background(), on, o, study.How{Workers: 1})
				}
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			})
			t.Logf("%s on %d states: %.3g MB, estimated %.3g MB", c.name, side*side, took/1e6, estimate.Bytes/1e6)
			if math.Abs(estimate.Bytes/took-1) > 0.3 {
				t.Errorf("%s on %d states takes %.3g MB, and the estimate is %.3g MB", c.name, side*side, took/1e6, estimate.Bytes/1e6)
			}
		}
	}
}
