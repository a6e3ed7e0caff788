// The module `lesson`: what the given cells of lessons are made of, so that they stay short:
// answers that are not written yet, predictions, pictures and tables of single lessons.
//
//   lanes::predict("fastest number of threads", 4);
//   lanes::reveal("fastest number of threads", 2);  // shows both
#pragma once

#include "lanes/lesson/answer_or.hpp"
#include "lanes/lesson/augmentation.hpp"
#include "lanes/lesson/device_training.hpp"
#include "lanes/lesson/digit_training.hpp"
#include "lanes/lesson/edge_filters.hpp"
#include "lanes/lesson/filter_examples.hpp"
#include "lanes/lesson/filter_pictures.hpp"
#include "lanes/lesson/filter_times.hpp"
#include "lanes/lesson/max_times.hpp"
#include "lanes/lesson/network_pictures.hpp"
#include "lanes/lesson/network_times.hpp"
#include "lanes/lesson/own_kernels.hpp"
#include "lanes/lesson/own_tape.hpp"
#include "lanes/lesson/pipelines.hpp"
#include "lanes/lesson/pipelines_lesson.hpp"
#include "lanes/lesson/plates_pictures.hpp"
#include "lanes/lesson/plates_training.hpp"
#include "lanes/lesson/predict.hpp"
#include "lanes/lesson/processes.hpp"
#include "lanes/lesson/product_times.hpp"
#include "lanes/lesson/queue_times.hpp"
#include "lanes/lesson/rank_times.hpp"
#include "lanes/lesson/residual_parts.hpp"
#include "lanes/lesson/resnet_layers.hpp"
#include "lanes/lesson/ring_picture.hpp"
#include "lanes/lesson/spare_network.hpp"
#include "lanes/lesson/spare_queue.hpp"
#include "lanes/lesson/spare_transfer.hpp"
#include "lanes/lesson/start.hpp"
#include "lanes/lesson/step_times.hpp"
#include "lanes/lesson/transfer_types.hpp"
