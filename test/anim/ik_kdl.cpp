// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The oracle of test_ik.c: a leg of a ball joint and a hinge, solved by orocos-kdl.
#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>

extern "C" bool SolveLegWithKdl(double upper, double lower, const double target[3], double* kneeAngle,
                                double end[3])
{
    using namespace KDL;
    Chain chain;
    chain.addSegment(Segment(Joint(Joint::RotX)));
    chain.addSegment(Segment(Joint(Joint::RotZ)));
    chain.addSegment(Segment(Joint(Joint::RotY), Frame(Vector(0.0, -upper, 0.0))));
    chain.addSegment(Segment(Joint(Joint::RotX), Frame(Vector(0.0, -lower, 0.0))));
    Eigen::Matrix<double, 6, 1> weights;
    weights << 1.0, 1.0, 1.0, 0.0, 0.0, 0.0; // position only
    ChainIkSolverPos_LMA solver(chain, weights, 1e-9, 1000);
    JntArray start(4), joints(4);
    start(0) = -0.3;
    start(3) = 0.8;
    if (solver.CartToJnt(start, Frame(Vector(target[0], target[1], target[2])), joints) < 0)
    {
        return false;
    }
    ChainFkSolverPos_recursive forward(chain);
    Frame frame;
    forward.JntToCart(joints, frame);
    for (int i = 0; i < 3; ++i)
    {
        end[i] = frame.p(i);
    }
    *kneeAngle = joints(3);
    return true;
}
