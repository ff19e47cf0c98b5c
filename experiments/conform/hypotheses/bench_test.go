package hypotheses

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
)

// benchmarkTasks are a task of which every log weight is listed and one whose log weights are in bins.
func benchmarkTasks(b *testing.B, f func(b *testing.B, p Problem)) {
	for _, T := range []int{4, 12} {
		b.Run(fmt.Sprintf("T=%d", T), func(b *testing.B) { f(b, taskOf(b, "easy", "power:2", "metropolis", T, chains.Forward)) })
	}
}

func BenchmarkNew(b *testing.B) {
	benchmarkTasks(b, func(b *testing.B, p Problem) {
		for b.Loop() {
			setOf(b, p)
		}
	})
}

// BenchmarkAdd has the time of one chain.
func BenchmarkAdd(b *testing.B) {
	benchmarkTasks(b, func(b *testing.B, p Problem) {
		const batch = 1 << 14
		s := setOf(b, p)
		first, last, logw := draw(codeOf(b, p, Specification), batch, rand.NewPCG(1, 2))
		tally := s.NewTally(rand.NewPCG(3, 4))
		b.ResetTimer()
		for done := 0; done < b.N; done += batch {
			n := min(batch, b.N-done)
			tally.Add(first[:n], last[:n], logw[:n])
		}
	})
}

// filled returns a tally with as many chains as there are cells, from the last hypothesis but one.
func filled(b *testing.B, p Problem) *Tally {
	s := setOf(b, p)
	tally := s.NewTally(rand.NewPCG(3, 4))
	tally.Add(draw(codeOf(b, p, Specification), s.Cells(), rand.NewPCG(1, 2)))
	return tally
}

func BenchmarkOdds(b *testing.B) {
	benchmarkTasks(b, func(b *testing.B, p Problem) {
		tally := filled(b, p)
		for b.Loop() {
			tally.Odds()
		}
	})
}

func BenchmarkLogE(b *testing.B) {
	benchmarkTasks(b, func(b *testing.B, p Problem) {
		tally := filled(b, p)
		for b.Loop() {
			tally.LogE()
		}
	})
}

// BenchmarkAlike is that of all hypotheses, as a report has them.
func BenchmarkAlike(b *testing.B) {
	benchmarkTasks(b, func(b *testing.B, p Problem) {
		s := setOf(b, p)
		for b.Loop() {
			for _, name := range s.Names {
				s.Alike(name)
			}
		}
	})
}
