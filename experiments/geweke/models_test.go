package geweke

import (
	"testing"
	"time"
)

func TestModels(t *testing.T) {
	for _, size := range []Size{{4, 3, 2}, {}} {
		for _, name := range []string{"clustering", "lowrank", "lowrank:inferred"} {
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
