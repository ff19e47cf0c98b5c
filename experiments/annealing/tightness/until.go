package tightness

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Goal is a limit on J or B that an annealing is to meet, and how far to look for a T that meets it.
type Goal struct {
	Quantity string        // J or B
	Limit    float64       // in nats, above 0
	Below    bool          // whether the quantity is to be below the limit, and not only within it
	MostT    int           // the largest T that is tried
	Within   time.Duration // no further T is tried on a toy once this time has passed
}

// These bound the search for a T where nothing else is said.
const (
	DefaultMostT  = 1_000_000
	DefaultWithin = 10 * time.Minute
)

// Parse reads the quantity and the limit of a goal, as in J=0.01. It takes J<=0.01 for the same, and J<0.01, too.
func (g *Goal) Parse(text string) error {
	quantity, number, given := strings.Cut(text, "=")
	below := !given
	if below {
		quantity, number, given = strings.Cut(text, "<")
	}
	quantity = strings.TrimSpace(strings.TrimSuffix(quantity, "<"))
	if !given || quantity != "J" && quantity != "B" {
		return fmt.Errorf("%q is no limit; write J=LIMIT or B=LIMIT, as in J=0.01", text)
	}
	limit, err := selector.ParseNumber(strings.TrimSpace(number))
	if err == nil && !(limit > 0) {
		err = fmt.Errorf("the limit %v is not above 0, and %s is never below", limit, quantity)
	}
	if err != nil {
		return err
	}
	g.Quantity, g.Limit, g.Below = quantity, limit, below
	return nil
}

// Value returns the quantity of a row.
func (g Goal) Value(r *Row) float64 {
	if g.Quantity == "B" {
		return r.B
	}
	return r.J
}

// met reports whether a row is within the limit.
func (g Goal) met(r *Row) bool {
	if g.Below {
		return g.Value(r) < g.Limit
	}
	return g.Value(r) <= g.Limit
}

// Reached is the end of a search for a T on one toy.
type Reached struct {
	Row           // the annealing that meets the goal; where none does, the longest that was tried
	Met   bool    // whether it meets the goal
	Below float64 // the value at T - 1, which does not meet the goal; NaN where T is 2 or the goal is not met
	Tried int     // how many values of T were tried
	Never bool    // whether no T can meet it, because J has a floor (see exact.Reach)
	Why   string  // why the search ended without meeting the goal; empty where it is met
}

// Until looks, on each toy of a selection, for a number of distributions T with which J or B is within a limit: it doubles T from 2
// on until the limit is met, and then bisects between the last two. So T meets the goal and T - 1 does not. Where J rises and
// falls with T, which it may, a smaller T may meet the goal too, and a larger one may not. The doubling ends at g.MostT, after
// g.Within, and where no T can meet the goal (see exact.Reach).
//
// It solves some 2 log2 T annealings, none longer than twice the T that it finds.
func Until(ctx context.Context, s experiments.Selection, g Goal, o Options, h study.How) ([]Reached, error) {
	if err := CheckUntil(s, g); err != nil {
		return nil, err
	}
	var out []Reached
	for _, toy := range s.Toys {
		one := s
		one.Toys = []string{toy}
		found, err := search(ctx, one, g, o, h)
		if err != nil {
			return nil, err
		}
		out = append(out, found)
	}
	return out, nil
}

// CheckUntil returns an error where Until cannot look for a T, whatever the toys are.
func CheckUntil(s experiments.Selection, g Goal) error {
	switch {
	case len(s.Distributions) > 0:
		return chains.NewAdvice("{T} and {until} are both given; {until} finds T itself, so leave one out")
	case g.MostT < 2:
		return fmt.Errorf("the largest T is %d; give 2 or more", g.MostT)
	case !(g.Within > 0):
		return fmt.Errorf("the time is %v; give some", g.Within)
	}
	own, err := s.OwnLength()
	if err != nil {
		return err
	}
	if own {
		return chains.NewAdvice("schedule %s says itself how many distributions there are, so that {until} can look for no T; leave {until} out, or give a schedule that any T can have, such as linear", s.Schedule)
	}
	return nil
}

// search is Until for a selection of one toy.
func search(ctx context.Context, s experiments.Selection, g Goal, o Options, h study.How) (found Reached, err error) {
	tried := 0
	solve := func(T int) (Row, error) {
		tried++
		s.Distributions = []int{T}
		cases, err := s.Cases(ctx)
		if err != nil {
			return Row{}, err
		}
		rows, err := study.Run(ctx, Study(), cases, o, h)
		if err != nil {
			return Row{}, err
		}
		return rows[0], nil
	}
	begin := time.Now()
	low, below := 1, math.NaN() // the largest T that is known not to meet the goal, and its value
	T := 2
	for {
		row, err := solve(T)
		if err != nil {
			return Reached{}, err
		}
		if g.met(&row) {
			found = Reached{Row: row, Met: true}
			break
		}
		low, below = T, g.Value(&row)
		never := row.Reach != nil && row.Reach.EveryT && row.Reach.Floor > g.Limit
		why := ""
		switch {
		case never:
			why = fmt.Sprintf("no T will do, since J is never below %.6g where the kernel does not move between classes of states, and B is not below J", row.Reach.Floor)
		case T >= g.MostT:
			why = fmt.Sprintf("T = %d is the largest that is tried", g.MostT)
		case time.Since(begin) > g.Within:
			why = fmt.Sprintf("the time of %v is over", g.Within)
		}
		if why != "" {
			return Reached{Row: row, Below: math.NaN(), Tried: tried, Never: never, Why: why}, nil
		}
		T = min(2*T, g.MostT)
	}
	for high := T; high-low > 1; {
		middle := low + (high-low)/2
		row, err := solve(middle)
		if err != nil {
			return Reached{}, err
		}
		if g.met(&row) {
			high, found.Row = middle, row
		} else {
			low, below = middle, g.Value(&row)
		}
	}
	found.Below, found.Tried = below, tried
	return found, nil
}
