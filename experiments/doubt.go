package experiments

import "context"

// doubts is the key of the function in a context that hears of doubts.
type doubts struct{}

// WithDoubts returns a context in which tell is called whenever a target, or a distribution where paths start, was read from a file that may mean
// something else: with what toys.Toy and toys.Initial have as Doubt; and of what a toy cannot show, its Note. It is called by whoever reads, once for each time that the file is read, and may
// be called from several goroutines. So every study tells of doubts that takes a target, and none has to know of them.
func WithDoubts(ctx context.Context, tell func(doubt string)) context.Context {
	return context.WithValue(ctx, doubts{}, tell)
}

// tellDoubt tells of a doubt, where there is one and somebody who hears of it.
func tellDoubt(ctx context.Context, doubt string) {
	if tell, hears := ctx.Value(doubts{}).(func(string)); hears && doubt != "" {
		tell(doubt)
	}
}
