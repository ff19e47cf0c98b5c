package stages_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestContributionsOfClasses: what each stage adds to B on 2^100 states. The terms of both directions come from a program of its own, with mantissas of
// 64 bits.
func TestContributionsOfClasses(t *testing.T) {
	toy := longtest.Must(toys.Parse("curie-weiss:100:1.5"))(t)
	a := exacttest.Build(t, toy.Members, toy.G, schedules.Linear{}, longtest.Must(kernels.Parse("flip", toy.Space))(t), 11)
	got := longtest.Must(stages.Contributions(context.Background(), a))(t)
	forward := []float64{0.006181824598904057396, 0.021265048857523051752, 0.043121563745952988756, 0.07800871095533618515, 0.14159903056208933896, 0.28273531394042363208, 0.68799566514135276343, 1.8712981343194578542, 3.635927070352962831, 4.8930122175260559584}
	reverse := []float64{4.8170148151482744363, 4.9525136551661788726, 5.0457942982961798742, 5.097093153346603255, 5.0964221927017472357, 4.99969944767188664, 4.62422209273917807, 3.4591676061263740385, 1.7036931178297660525, 0.4485779070403815628}
	for i, v := range got {
		if want := forward[i] + reverse[i]; math.Abs(v-want) > 1e-12*want {
			t.Errorf("stage %d adds %v, and %v elsewhere", i+2, v, want)
		}
	}
}
