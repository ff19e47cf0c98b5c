package latent

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"breadboard/toys/models"
)

// spectrum is what the log likelihood of binary attributes needs of Z'Z and Z'Y: the eigenvalues of Z'Z, the sizes of the components of Y
// that belong to them (see models.Gaussian), and the features of least squares.
type spectrum struct {
	k       int
	vectors []float64 // eigenvectors, in columns
	work    []float64
	along   []float64
	best    [][]float64 // the features of least squares that have no part in the null space of Z'Z, K rows
	fit     models.Fit
}

// newSpectrum returns room for k attributes and so many columns.
func newSpectrum(k, columns int) *spectrum {
	s := &spectrum{k: k, vectors: make([]float64, k*k), along: make([]float64, columns), best: zeros(k, columns), fit: models.NewFit(k)}
	size := []float64{0}
	lapackgonum.Implementation{}.Dsyev(lapack.EVCompute, blas.Upper, k, s.vectors, k, s.fit.Eigenvalues, size, -1)
	s.work = make([]float64, int(size[0]))
	return s
}

// null is the part of the trace of Z'Z below which an eigenvalue is what rounding has left of zero. Of matrices of zeros and ones with up
// to ten columns, none has a smallest eigenvalue other than zero that is below 1e-6.
const null = 1e-13

// decompose writes the eigenvalues and sizes to s.fit, and the features of least squares to s.best.
func (s *spectrum) decompose(gram []float64, cross [][]float64) {
	copy(s.vectors, gram)
	lapackgonum.Implementation{}.Dsyev(lapack.EVCompute, blas.Upper, s.k, s.vectors, s.k, s.fit.Eigenvalues, s.work, len(s.work))
	trace := 0.0
	for k := range s.k {
		trace += gram[k*s.k+k]
		clear(s.best[k])
	}
	for p, l := range s.fit.Eigenvalues {
		if l <= null*trace {
			s.fit.Eigenvalues[p], s.fit.Size[p] = 0, 0
			continue
		}
		clear(s.along)
		for k, row := range cross {
			addTo(s.along, row, s.vectors[k*s.k+p])
		}
		s.fit.Size[p] = dot(s.along, s.along) / l
		for k, row := range s.best {
			addTo(row, s.along, s.vectors[k*s.k+p]/l)
		}
	}
}
