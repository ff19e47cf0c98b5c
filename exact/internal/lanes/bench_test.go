package lanes

import "testing"

// BenchmarkSteps measures a step on a plane of 7x7 to four neighbours and to eight on each unit of the processor.
func BenchmarkSteps(b *testing.B) {
	for _, u := range Units() {
		benchmarkSteps(b, u.String(), u.Steps)
		benchmarkSteps(b, u.String()+"/around", u.StepsAround)
	}
}

func benchmarkSteps(b *testing.B, name string, steps func([]Row, []Turned)) {
	b.Run(name, func(b *testing.B) {
		rows := make([]Row, 7)
		for i := range rows {
			for x := range Width {
				r := &rows[i]
				r.Grow[x], r.Fall[x] = 1, 1
				if x < Width-1 {
					r.F[x], r.Inverse[x], r.U[x] = 1, 0.25, float64(x*i)
				}
			}
		}
		out := make([]Turned, 128)
		n := 0
		for b.Loop() {
			steps(rows, out)
			n += len(out)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/step")
	})
}
