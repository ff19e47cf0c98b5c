// Package policies computes how far the output of a learned sampler is from its target, and the
// bound from its paths. The sampler is a pair of policies over layers of states. The package never
// learns a policy and draws nothing at random.
//
// A path x_0, ..., x_L begins at a state of layer 0 and ends at a terminal state, at which f is
// given. The forward policy P_F draws it from the beginning, and the backward policy P_B from the
// end, which has the distribution p = f/Z. With q for the distribution of the end of forward paths,
//
//	log w = log f(x_L) + sum of log P_B - sum of log P_F - log q_0(x_0)
//	J = KL(q || p) + KL(p || q),  B = E_rev[log w] - E_fwd[log w] >= J.
//
// Examples are masked diffusion and any-order models, GFlowNets and controlled jump processes;
// annealing is the case whose backward policy is the reversal.
//
// # Accuracy
//
// Let r be the marginals of backward paths: r(y) = p(y) at the end, and r(x) = sum of r(y)
// P_B(x|y). The engine carries c = log(q/r), which keeps its digits near zero. With a(x,y) = log
// P_F(y|x) + log r(x) - log r(y) - log P_B(x|y),
//
//	c(y) = log of the sum over x of P_B(x|y) exp(a + c(x)).
//
// J is a sum of nonnegative terms in c at the terminal states. B - J is such a sum over the steps:
// with rho = exp(a + c(x) - c(y)), whose mean over x under P_B is one,
//
//	KL(path_fwd || path_rev) = KL(q || p) + sum of q(y) P_B (rho log rho - rho + 1)
//	KL(path_rev || path_fwd) = KL(p || q) + sum of r(y) P_B (rho - 1 - log rho).
//
// So neither is a difference of large numbers. The remaining error is the rounding of a, about
// 1e-16 times the logarithms in it; all results have bounds derived from it.
//
// Source: the chain rule of the divergence, Cover and Thomas 2006, section 4.4; for the pair of
// policies Bengio et al. 2023 and Malkin et al. 2022.
package policies
