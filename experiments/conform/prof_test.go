package conform

import (
	"context"
	"testing"

	"breadboard/experiments/conform/samples"
	"breadboard/experiments/conform/task"
)

func BenchmarkTen(b *testing.B) {
	for b.Loop() {
		t, err := task.Read(context.Background(), "/tmp/cf/t12", nil)
		if err != nil {
			b.Fatal(err)
		}
		r, err := samples.Open(context.Background(), "/tmp/cf/fwd.npy", samples.Options{Space: t.Space()})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Check(context.Background(), t, Input{Forward: r}, Options{Alpha: 1e-6}); err != nil {
			b.Fatal(err)
		}
	}
}
