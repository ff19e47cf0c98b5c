package rank

import (
	"cmp"
	"slices"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/samplers"
)

// Standing is a kernel's place on the leaderboard, over all examples on which it competes.
type Standing struct {
	Kernel     string
	Examples   int
	Scores     [3]Summary // by Estimate
	Success    float64    // the mean of the probabilities of success
	Variance   float64    // the mean of those of the variance
	Efficiency float64    // the median of RESS/N of the mean (Eq. 6)
	DropGain   float64    // the median of what dropping the first samples gains at best
	DropPays   float64    // the share of examples on which that is more than a hundredth
}

// Summary is what a kernel's scores on all examples come to.
type Summary struct {
	MeanNESS, MedianNESS float64
	Enough               float64 // the share of examples with RESS of at least samplers.SuccessRESS
	MeanRank             float64
	Wins                 float64 // the number of examples on which it is best; a tie is shared
}

// Standings returns the leaderboard, the best kernel by mean rank of the mean first.
func Standings(rows []Row) []Standing {
	var kernels []string
	for i := range rows {
		if !slices.Contains(kernels, rows[i].Kernel) {
			kernels = append(kernels, rows[i].Kernel)
		}
	}
	best := winners(rows)
	var all []Standing
	for _, kernel := range kernels {
		var own []*Row
		for i := range rows {
			if rows[i].Kernel == kernel {
				own = append(own, &rows[i])
			}
		}
		all = append(all, standing(kernel, own, best))
	}
	slices.SortStableFunc(all, func(a, b Standing) int { return cmp.Compare(a.Scores[Mean].MeanRank, b.Scores[Mean].MeanRank) })
	return all
}

// winners returns for each row by how many a win is shared, by Estimate, and zero where the row has not won.
func winners(rows []Row) map[*Row][3]float64 {
	shared := map[*Row][3]float64{}
	for _, example := range Examples(rows) {
		for e := range estimates {
			first := slices.MinFunc(example, func(a, b *Row) int { return cmp.Compare(a.Scores[e].Rank, b.Scores[e].Rank) }).Scores[e].Rank
			for _, r := range example {
				if r.Scores[e].Rank == first {
					s := shared[r]
					s[e] = 2*first - 1 // of the ranks 1 to n the mean is (n + 1)/2
					shared[r] = s
				}
			}
		}
	}
	return shared
}

// standing returns the place of a kernel from its rows.
func standing(kernel string, rows []*Row, best map[*Row][3]float64) Standing {
	s := Standing{Kernel: kernel, Examples: len(rows)}
	over := func(of func(*Row) float64) []float64 {
		var all []float64
		for _, r := range rows {
			all = append(all, of(r))
		}
		return all
	}
	for e := range estimates {
		ness := over(func(r *Row) float64 { return r.Scores[e].NESS })
		sum := &s.Scores[e]
		sum.MeanNESS, sum.MedianNESS = mean(ness), diagnostics.Median(ness)
		sum.Enough = mean(over(func(r *Row) float64 { return indicator(r.Scores[e].RESS >= samplers.SuccessRESS) }))
		sum.MeanRank = mean(over(func(r *Row) float64 { return r.Scores[e].Rank }))
		for _, r := range rows {
			if by := best[r][e]; by > 0 {
				sum.Wins += 1 / by
			}
		}
	}
	s.Success = mean(over(func(r *Row) float64 { return r.Success }))
	s.Variance = mean(over(func(r *Row) float64 { return r.SuccessVariance }))
	s.Efficiency = diagnostics.Median(over(func(r *Row) float64 { return r.Scores[Mean].RESS / float64(r.N) }))
	s.DropGain = diagnostics.Median(over(func(r *Row) float64 { return r.DropGain }))
	s.DropPays = mean(over(func(r *Row) float64 { return indicator(r.DropGain > 1.01) }))
	return s
}

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}
