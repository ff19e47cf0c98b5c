package toys

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// OfLevels returns the toy whose states are the levels of log f, with the number of states of each
// level, of a toy that is a product of factors (see Factored). It is enough for sums over states
// along a geometric path from uniform, whatever the number of states; no kernel moves on it. It
// fails for Bayesian networks, since their paths start at the prior.
func (f Forms) OfLevels(ctx context.Context, text string) (*Toy, error) {
	p, err := f.Factored(text, "", "")
	q := p.Query
	switch {
	case err != nil:
		return nil, err
	case q.Bayes:
		err = errs.New(
			"its path starts at its prior, and levels are counted for a start at uniform; take a Markov network",
		)
	case slices.Contains(q.Hidden, true):
		err = errs.New("variables that are summed out are in no level; keep them all")
	}
	t := &Toy{Name: p.Selector, forms: f, Description: q.Describe(), Graph: true, Levels: true}
	if name, _ := selector.SplitName(text); name != "" {
		t.Name = name
		t.Named = p.Selector
	}
	if err == nil {
		t.memberG, t.Members, err = f.Levels(q, ctx)
	}
	if err == nil {
		t.Space, err = grid.Path(len(t.memberG))
	}
	if err != nil {
		return nil, grid.TooLarge{
			What: "states",
			Err:  fmt.Errorf("toy %s has too many states to be listed: %w", cmp.Or(t.Named, t.Name), err),
		}
	}
	for i, n := range t.Members {
		t.Members[i] = number.Log(n)
		t.G = append(t.G, t.memberG[i]+t.Members[i])
	}
	return t, nil
}
