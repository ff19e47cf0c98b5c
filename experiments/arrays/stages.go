package arrays

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// Stages are stages of an annealing, whatever its length.
type Stages []stage

// stage is a number of a stage from 1 on, or a share of the way from the first to the last, or all of them.
type stage struct {
	text  string
	index int     // where it is not zero
	share float64 // else
	all   bool
}

// StandardStages are the stages where a linear schedule is at the betas of Figure 4 of the paper, and the last.
const StandardStages = "0.1,0.25,0.5,last"

// ParseStages reads stages with commas between them: numbers from 1 to T, shares of the way from the first stage to the last, above 0 and
// below 1, as in 0.25, "last", or "all".
func ParseStages(text string) (Stages, error) {
	var list Stages
	for part := range strings.SplitSeq(text, ",") {
		s, err := parseStage(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if len(list) > 1 && slices.ContainsFunc(list, func(s stage) bool { return s.all }) {
		return nil, errors.New("all is every stage; give it alone")
	}
	return list, nil
}

func parseStage(text string) (stage, error) {
	s := stage{text: text}
	switch text {
	case "":
		return s, errors.New("a stage is empty; give numbers from 1 to T, shares of the way such as 0.25, last, or all")
	case "all":
		s.all = true
		return s, nil
	case "last":
		s.share = 1
		return s, nil
	}
	v, err := selector.ParseNumber(text)
	if err != nil {
		return s, fmt.Errorf("%w; stages are numbers from 1 to T, shares of the way such as 0.25, last, or all", err)
	}
	switch {
	case v > 0 && v < 1:
		s.share = v
	case v == math.Trunc(v) && v >= 1 && v <= math.MaxInt32:
		s.index = int(v)
	default:
		return s, fmt.Errorf("%s is no stage; give a number from 1 to T, a share of the way above 0 and below 1, last, or all", text)
	}
	return s, nil
}

// Of returns the stages of an annealing with T distributions, each once and in increasing order. A share u is the stage that is nearest to
// 1 + u (T - 1). It fails for a stage above T.
func (l Stages) Of(T int) ([]int, error) {
	var out []int
	for _, s := range l {
		switch {
		case s.all:
			for t := 1; t <= T; t++ {
				out = append(out, t)
			}
		case s.index > T:
			return nil, fmt.Errorf("stage %d of an annealing with %d distributions; stages are 1 to %d", s.index, T, T)
		case s.index > 0:
			out = append(out, s.index)
		default:
			out = append(out, 1+int(math.Round(s.share*float64(T-1))))
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no stage is named; give at least one")
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// String returns the text that ParseStages reads.
func (l Stages) String() string {
	texts := make([]string, len(l))
	for i, s := range l {
		texts[i] = s.text
	}
	return strings.Join(texts, ",")
}
