package toys

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// maxSmoothing bounds the work of a smoothed target: the product of passes, states and axes. That
// much takes about half a minute.
const maxSmoothing = 1 << 31

// smoothed returns the target of Random after that many passes of the binomial filter 1-2-1 along
// every axis, by Smooth, as the initial distribution smoothed:PASSES is made of a target. The
// filter averages f = exp(g), and not g, so that high states raise their neighbours: the larger
// sigma is, the more the target looks like a few hills. Without a pass it is the target of Random
// itself. Time is O(passes states axes).
func smoothed(ctx context.Context, sigma float64, seed uint32, passes int,
	space *grid.Lattice) (*Toy, error) {
	name := fmt.Sprintf("smooth:%v:%d:%d", sigma, seed, passes)
	if size := space.String(); size != "7x7" {
		name += ":" + size
	}
	if passes < 0 || passes > maxPasses {
		return nil, errs.New("toy %s: %d passes; give a number from 0 to %d", name, passes, maxPasses)
	}
	if work := float64(passes) * float64(space.States()) * float64(space.Dims()); work > maxSmoothing {
		return nil, errs.New(
			"toy %s: %d passes over %d states with %d axes are %.3g averages; at most %d are made: take "+
				"fewer passes or a smaller grid",
			name,
			passes,
			space.States(),
			space.Dims(),
			work,
			int64(maxSmoothing),
		)
	}
	g, err := randomG(sigma, seed, space.States())
	if err != nil {
		return nil, fmt.Errorf("toy %s: %w", name, err)
	}
	if passes > 0 {
		g, err = Smooth(ctx, space, g, passes)
		if err != nil {
			return nil, err
		}
	}
	about := fmt.Sprintf("%s; exp(g) after %d passes of the filter 1-2-1", describeRandom(sigma, seed), passes)
	if passes == 1 {
		about = strings.Replace(about, "passes", "pass", 1)
	}
	return &Toy{Name: name, Description: about, Space: space, G: g}, nil
}

func smoothForm() toyForm {
	return toyForm{
		Syntax:  "smooth:SIGMA:SEED:PASSES[:DIMS]",
		Doc:     "random:SIGMA:SEED after PASSES passes of the filter of the initial distribution smoothed; DIMS 7x7",
		Example: "smooth:2:0:3:5x5",
		Missing: "sigma, the seed and the number of passes",
		Parse:   parseSmooth,
	}
}

func parseSmooth(args selector.Args, _ Forms) (*Toy, error) {
	parts := strings.Split(args.Text, ":")
	if len(parts) != 3 && len(parts) != 4 {
		return nil, args.Errorf(
			"write smooth:SIGMA:SEED:PASSES or smooth:SIGMA:SEED:PASSES:DIMS, as in smooth:2:0:3:7x7",
		)
	}
	sigma, seed, err := sigmaAndSeed(args, parts[0], parts[1])
	if err != nil {
		return nil, err
	}
	passes, err := strconv.Atoi(parts[2])
	if err != nil {
		return nil, args.Errorf("%q is not a number of passes from 0 to %d", parts[2], maxPasses)
	}
	space := grid.MustNew(7, 7)
	if len(parts) == 4 {
		space, err = grid.Parse(parts[3])
		if err != nil {
			return nil, args.Wrap(err)
		}
	}
	return smoothed(context.Background(), sigma, seed, passes, space)
}
