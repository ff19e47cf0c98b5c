package models_test

import (
	"testing"
	"time"

	"breadboard/toys/models"
)

// BenchmarkLogLikelihood measures how the time that the likelihoods of all states take grows with the states. One more row of two
// attributes, and two more rows in two clusters, are four times the states, and N + 1 or N + 2 in place of N terms for each. The figure
// times-linear is how many times as long they take, divided by the number of these terms. The command is
//
//	go test ./toys/models -run XXX -bench LogLikelihood -benchtime 1x
func BenchmarkLogLikelihood(b *testing.B) {
	binary := func(n int) models.Model {
		m := models.Bin4()
		for len(m.Y) < n {
			m.Y = append(m.Y, m.Y[0])
		}
		return m
	}
	clustering := func(n int) models.Model {
		m := models.Clu8()
		for len(m.Y) < n {
			m.Y = append(m.Y, m.Y[0])
		}
		return m
	}
	for _, c := range []struct {
		name         string
		small, large models.Model
		terms        float64
	}{{"binary", binary(7), binary(8), 4 * 8 / 7.0}, {"clustering", clustering(14), clustering(16), 4 * 16 / 14.0}} {
		b.Run(c.name, func(b *testing.B) {
			best := [2]time.Duration{time.Hour, time.Hour}
			for b.Loop() {
				for range 10 {
					for i, m := range []models.Model{c.small, c.large} {
						start := time.Now()
						m.LogLikelihood(1)
						best[i] = min(best[i], time.Since(start))
					}
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(best[1].Seconds()/best[0].Seconds()/c.terms, "times-linear")
			b.ReportMetric(float64(best[1].Nanoseconds())/float64(c.large.Space().States()), "ns/state")
		})
	}
}
