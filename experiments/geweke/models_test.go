package geweke

import (
	"testing"
	"time"
)

func TestModels(t *testing.T) {
	for _, size := range []Size{{6, 4}, {50, 25}} {
		for _, name := range []string{"clustering:2", "lowrank:2", "lowrank:inferred:2"} {
			m, err := Models().Parse(name, size)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			faults := examined(t, m.tested, 512)
			t.Logf("%s %v", name, time.Since(start))
			if len(faults) > 0 {
				t.Errorf("%s %v: %v", name, size, faults)
			}
		}
	}
}
