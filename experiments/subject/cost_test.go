package subject_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestNamedSizesFit: the number of states that a refusal names is not refused.
func TestNamedSizesFit(t *testing.T) {
	d := &study.Declaration{
		Name: "study",
		Cost: func(s subject.Size) subject.Cost { return subject.Cost{Seconds: float64(s.States)} },
	}
	for states := 90_000; states < 900_000; states += 7_000 {
		err := d.Affords(nil, study.How{}, math.Inf(1), &subject.Cost{})(subject.Size{States: states})
		if err == nil {
			t.Fatalf("%d states are not refused", states)
		}
		_, after, _ := strings.Cut(err.Error(), "take at most ")
		var named float64
		if _, err := fmt.Sscan(after, &named); err != nil {
			t.Fatal(err)
		}
		if err := d.Affords(nil, study.How{}, math.Inf(1), &subject.Cost{})(
			subject.Size{States: int(named)},
		); err != nil {
			t.Errorf("%d states: %v is named, and refused too: %v", states, named, err)
		}
	}
}

// TestTimeIsTenMinutes: what takes longer, on few states too, is refused unless How allows that
// time, and the refusal names it.
func TestTimeIsTenMinutes(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		time    time.Duration
		want    string
	}{
		{600, 0, ""}, {601, 0, "time 11m"}, {601, 11 * time.Minute, ""}, {61, time.Second, "time 61s"},
		{7200, 119 * time.Minute, "time 120m"},
		{7200, 2 * time.Hour, ""},
	} {
		for _, states := range []int{2, 49, 1 << 26} {
			d := &study.Declaration{
				Name: "study",
				Cost: func(subject.Size) subject.Cost { return subject.Cost{Seconds: c.seconds} },
			}
			var cost subject.Cost
			err := d.Affords(nil, study.How{Time: c.time}, math.Inf(1), &cost)(
				subject.Size{States: states, Distributions: 2},
			)
			err = cmp.Or(err, cost.Late)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v s within %v on %d states: %v, want %q", c.seconds, c.time, states, err, c.want)
			}
		}
	}
}

// TestSizesBeforeToys: a toy whose selector says that it is too large is not made, whatever other
// toys are; that it may be made adds nothing to a sum.
func TestSizesBeforeToys(t *testing.T) {
	d := &study.Declaration{Name: "study", Cost: func(s subject.Size) subject.Cost {
		if s.States > 5000 && !s.Unmade {
			t.Errorf("%d states are made", s.States)
		}
		return subject.Cost{Seconds: float64(s.States * s.Distributions)}
	}}
	for toy, want := range map[string]int{
		"random:2:1:1200x1200": 1, "smooth:2:1:3:1200x1200": 1, "ising:3x7:0.3": 1, "easy": 2} {
		var all subject.Cost
		s := subject.Selection{
			Reader:        forms.Reader(),
			Toys:          []string{toy, "barrier"},
			Distributions: []int{2, 3},
			Path:          "geometric",
			Schedule:      "linear",
			Kernel:        "metropolis",
		}
		s.Check = d.Affords(nil, study.How{Time: 24 * time.Hour}, math.Inf(1), &all)
		cases, _ := s.Cases(t.Context())
		if len(cases) != 2*want || all.Seconds != float64(5*49*want) {
			t.Errorf("%s: %d cases, %v", toy, len(cases), all)
		}
	}
}

// TestRefusedBeforePlacing: an annealing that takes too much is refused before its schedule is
// placed, which took a minute and a half; here, placing would fail.
func TestRefusedBeforePlacing(t *testing.T) {
	s := subject.Selection{
		Reader: forms.Reader(),
		Toys:   []string{"easy"}, Path: "geometric", Schedule: "friction", Kernel: "stay",
		Distributions: []int{3},
	}
	longtest.Refuses(s.Cases(t.Context()))(t, "friction")
	s.Check = func(subject.Size) error { return errors.New("too large") }
	longtest.Refuses(s.Cases(t.Context()))(t, "too large")
}
