package hypotheses

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/toys"
)

func problem(t testing.TB, name string, T int, d chains.Direction) Problem {
	t.Helper()
	toy, err := toys.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	path, err := paths.NewGeometric(nil, toy.G)
	if err != nil {
		t.Fatal(err)
	}
	a, err := chains.NewAnnealing(path, sched(t), kernels.Metropolis{Space: toy.Space}, T)
	if err != nil {
		t.Fatal(err)
	}
	return Problem{Annealing: a, Space: toy.Space, Direction: d, Columns: Columns{true, true, true}, LogZ1: 3.8918}
}

func TestExplore(t *testing.T) {
	for _, T := range []int{3, 4, 12, 100} {
		for _, toy := range []string{"easy", "hard", "barrier"} {
			for _, d := range []chains.Direction{0, 1} {
				begin := time.Now()
				p := problem(t, toy, T, d)
				s, err := New(context.Background(), p)
				if err != nil {
					t.Error(toy, T, d, err)
					continue
				}
				worst, who := 0.0, ""
				for h := 1; h < len(s.Names); h++ {
					if n := s.Needs(h, 0, 20); n > worst && !s.Same(h, 0) {
						worst, who = n, s.Names[h]
					}
				}
				pair, names := 0.0, ""
				ties := 0
				for h := range s.Names {
					for o := range s.Names {
						if n := s.Needs(h, o, 5); h != o && s.Same(h, o) {
							fmt.Println("same", s.Names[h], s.Names[o])
							ties++
						} else if h != o && n > pair {
							pair, names = n, s.Names[h]+" / "+s.Names[o]
						}
					}
				}
				fmt.Println(toy, T, d, len(s.Names), s.Listed, s.Cells(), s.Columns, time.Since(begin), "alarm", worst, who, "pair", pair, names, "ties", ties, s.Missing)
			}
		}
	}
}

func sched(t testing.TB) chains.Schedule {
	s, err := schedules.Parse("power:2")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// draw samples from a hypothesis.
func draw(c *code, n int, rng rand.Source) (first, last []int32, logw []float64) {
	sampler := chains.NewSampler(rng)
	for range n {
		x, y, v := chains.Run(c.Annealer, sampler)
		i, j := c.ends(x, y)
		i, j, v = c.written(i, j, v)
		first, last, logw = append(first, int32(i)), append(last, int32(j)), append(logw, v)
	}
	return first, last, logw
}

func TestNamed(t *testing.T) {
	for _, T := range []int{4, 12} {
		for _, d := range []chains.Direction{0, 1} {
			p := problem(t, "easy", T, d)
			s, err := New(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			on := &setting{context.Background(), p.Annealing, p.Space, d, p.LogZ1}
			for _, h := range list() {
				c, _ := h.make(on)
				if c == nil {
					continue
				}
				first, last, logw := draw(c, 20000, rand.NewPCG(1, 2))
				tally := s.NewTally(rand.NewPCG(3, 4))
				tally.Add(first, last, logw)
				o := tally.Odds()
				mark := ""
				if o[0].Name != h.name {
					mark = "  <<<"
				}
				fmt.Printf("T=%d d=%d %-50s %-50s %.3g e=%.3g own e=%.3g%s\n", T, d, h.name, o[0].Name, o[0].Posterior, tally.LogE(), o[0].LogE, mark)
			}
		}
	}
}
