package experiments_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// TestNamedSizesFit: the number of states that a refusal names is not refused.
func TestNamedSizesFit(t *testing.T) {
	d := &study.Declaration{Name: "study", Cost: func(s subject.Size) subject.Cost { return subject.Cost{Seconds: float64(s.States)} }}
	for states := 90_000; states < 900_000; states += 7_000 {
		err := d.Affords(nil, study.How{}, math.Inf(1), &subject.Cost{})(subject.Size{States: states})
		if err == nil {
			t.Fatalf("%d states are not refused", states)
		}
		_, after, _ := strings.Cut(err.Error(), "take about ") // the second: the first says how long
		_, after, _ = strings.Cut(after, "take about ")
		var named float64
		if _, err := fmt.Sscan(after, &named); err != nil {
			t.Fatal(err)
		}
		if err := d.Affords(nil, study.How{}, math.Inf(1), &subject.Cost{})(subject.Size{States: int(named)}); err != nil {
			t.Errorf("%d states: %v is named, and refused too: %v", states, named, err)
		}
	}
}
