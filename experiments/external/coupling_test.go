package external

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// coupled plays a program that moves two chains: to the next state both, or in a way that is none.
func coupled(kind string, say func(map[string]any), from []int, moves *int) {
	x, y := (from[0]+1)%4, (from[1]+1)%4
	if moves == nil {
		switch kind {
		case "couple-state":
			say(map[string]any{"state": x})
		case "couple-one":
			say(map[string]any{"states": []int{x}})
		case "couple-both":
			say(map[string]any{"states": []int{x, y}, "flip": 0.5})
		default:
			say(map[string]any{"states": []int{x, y}})
		}
		return
	}
	pairs := [][]int{{x, y, *moves - 1}, {x, x, 1}}
	switch kind {
	case "sample-couple-short":
		pairs = pairs[:1]
	case "sample-couple-outside":
		pairs[1][1] = 77
	case "sample-couple-negative":
		pairs = [][]int{{x, y, *moves + 1}, {x, x, -1}}
	case "sample-couple-two":
		pairs[1] = []int{x, 1}
	}
	say(map[string]any{"pairs": pairs})
}

// TestCouple: a program moves two chains, and each answer that is none is an error that says what to write.
func TestCouple(t *testing.T) {
	longtest.NotShort(t) // each is another process
	for kind, want := range map[string]string{
		"couple": "", "couple-state": `write both, as in "states": [3, 8]`, "couple-one": "and two states where two do", "couple-both": "one of choose, flip",
		"sample-couple": "", "sample-couple-short": "its counts sum to 9 for 10 moves", "sample-couple-outside": "outside 0..3",
		"sample-couple-negative": "it counts 11 of 10", "sample-couple-two": "as in [3, 8, 71]",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			k := longtest.Must(start(t, kind, longtest.Patience))(t)
			var got string
			err := func() (err error) {
				defer func() {
					if r := recover(); r != nil {
						err = r.(error)
					}
				}()
				if k.Samples() {
					ends, err := k.SampleCoupled(make([]float64, 4), 3, 1, 10, rand.New(rand.NewPCG(1, 2)))
					got = fmt.Sprint(ends)
					return err
				}
				x, y := k.Couple(first{}, make([]float64, 4), 3, 1)
				got = fmt.Sprint(x, y)
				return nil
			}()
			switch {
			case want == "" && (err != nil || !slices.Contains([]string{"0 2", "[{0 2 9} {0 0 1}]"}, got)):
				t.Errorf("it goes to %s: %v", got, err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("error %v, want one with %q", err, want)
			}
			if _, is := errors.AsType[ProgramError](err); err != nil && !is {
				t.Errorf("error %v is none of the program's", err)
			}
		})
	}
}
