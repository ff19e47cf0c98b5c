// Package gap answers: at which stages does B exceed J? It splits the gap B - J of annealings into stages, and checks that
// they add up.
// It never prints, draws or reads flags.
package gap
