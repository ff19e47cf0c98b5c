package exact_test

import (
	"fmt"
	"testing"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/toys/models"
)

// scanOf returns an annealing from the prior of a model to its posterior, whose kernel goes from axis to axis.
func scanOf(t testing.TB, m models.Model, T int) *chains.Annealing {
	t.Helper()
	prior := m.LogPrior()
	joint := m.LogLikelihood(1)
	for x, p := range prior {
		joint[x] += p
	}
	return exacttest.Build(t, prior, joint, schedules.Sigmoid{Delta: 4}, scanKernel(t, m), T)
}

// binary returns a model of so many data with two attributes, on 4^data states.
func binary(data int) *models.Binary {
	m := models.Bin4()
	m.Y = append(m.Y, []float64{0.4, -1.1, 0.9}, []float64{-0.6, 0.2, 1.7})[:data]
	return m
}

// BenchmarkScan times a stage of heatbath-scan on models whose states grow by four and whose axes grow by two, by the method that Solve
// chooses and by the general one. The time of a stage divided by states and axes is to stay the same.
func BenchmarkScan(b *testing.B) {
	for _, method := range []struct {
		name string
		exact.Options
	}{{"chosen", exact.Options{}}, {"general", exact.Options{General: true}}} {
		for data := 3; data <= 6; data++ {
			const T = 21
			m := binary(data)
			a := scanOf(b, m, T)
			b.Run(fmt.Sprintf("%s/states=%d", method.name, m.Space().States()), func(b *testing.B) {
				for b.Loop() {
					exacttest.SolveWith(b, a, method.Options)
				}
				step := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / (T - 1)
				b.ReportMetric(step, "ns/step")
				b.ReportMetric(step/float64(m.Space().States()*m.Space().Dims()), "ns/step/state/axis")
			})
		}
	}
}
